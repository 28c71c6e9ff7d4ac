CREATE TABLE "notice_causes" (
	"causer_id" text NOT NULL,
	"user_id" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "notice_causes_causer_id_user_id_pk" PRIMARY KEY("causer_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "notice_choices" (
	"user_id" text PRIMARY KEY NOT NULL,
	"by_mail" boolean DEFAULT true NOT NULL,
	"invitations" boolean DEFAULT true NOT NULL,
	"messages" boolean DEFAULT true NOT NULL,
	"decisions" boolean DEFAULT true NOT NULL,
	"weekly" boolean DEFAULT false NOT NULL,
	"quiet_from" integer,
	"quiet_to" integer,
	"digest_hour" integer,
	"time_zone" text,
	"weekly_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "inbox_events" ADD COLUMN "notice_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "event_numbers" integer[];--> statement-breakpoint
ALTER TABLE "notice_causes" ADD CONSTRAINT "notice_causes_causer_id_users_id_fk" FOREIGN KEY ("causer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_causes" ADD CONSTRAINT "notice_causes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notice_causes_of_person" ON "notice_causes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notice_causes_by_time" ON "notice_causes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notice_choices_by_week" ON "notice_choices" USING btree ("weekly_at");
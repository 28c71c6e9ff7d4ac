CREATE TABLE "mail_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"purpose" text NOT NULL,
	"bound_to" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" text,
	"address" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"attempt_at" timestamp(3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"give_up_at" timestamp(3) with time zone NOT NULL,
	"failed_at" timestamp(3) with time zone,
	"failure" text
);
--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "confirmed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_links" ADD CONSTRAINT "mail_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_links_of_person" ON "mail_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mail_links_by_expiry" ON "mail_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("attempt_at") WHERE failed_at is null;--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("failed_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX "mails_of_person" ON "mails" USING btree ("user_id");
CREATE TABLE "abuse_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"target_id" text NOT NULL,
	"category" text NOT NULL,
	"reporter_id" text,
	"reason" "bytea",
	"reported_id" text,
	"author_name" text NOT NULL,
	"content" "bytea" NOT NULL,
	"written_at" timestamp(3) with time zone NOT NULL,
	"key_id" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"closed_at" timestamp(3) with time zone,
	"closed_by_id" text,
	"outcome" text,
	"note" text,
	CONSTRAINT "abuse_reports_closed" CHECK ((closed_at is null) = (outcome is null))
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD CONSTRAINT "abuse_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD CONSTRAINT "abuse_reports_reported_id_users_id_fk" FOREIGN KEY ("reported_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD CONSTRAINT "abuse_reports_closed_by_id_users_id_fk" FOREIGN KEY ("closed_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "abuse_reports_open" ON "abuse_reports" USING btree ("reporter_id","kind","target_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "abuse_reports_open_first" ON "abuse_reports" USING btree ((closed_at is null),"created_at","id");--> statement-breakpoint
CREATE INDEX "abuse_reports_of_reporter" ON "abuse_reports" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "abuse_reports_of_reported" ON "abuse_reports" USING btree ("reported_id");--> statement-breakpoint
CREATE INDEX "abuse_reports_of_closer" ON "abuse_reports" USING btree ("closed_by_id");--> statement-breakpoint
CREATE UNIQUE INDEX "room_messages_by_id" ON "room_messages" USING btree ("id");
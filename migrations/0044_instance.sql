CREATE TABLE "instance_settings" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"settings" jsonb NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "instance_settings_is_one_row" CHECK ("instance_settings"."is_only")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "agreed_at" timestamp(3) with time zone;
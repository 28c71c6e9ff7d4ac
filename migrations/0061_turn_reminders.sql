ALTER TABLE "notice_choices" ADD COLUMN "turns" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_began_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_remind_at" timestamp(3) with time zone;
ALTER TABLE "room_members" ADD COLUMN "table_state" text;--> statement-breakpoint
ALTER TABLE "room_members" ADD COLUMN "seat" integer;--> statement-breakpoint
ALTER TABLE "room_members" ADD COLUMN "missed_turns" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "room_members" ADD COLUMN "words" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "room_members" ADD COLUMN "waits_since" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "room_members" ADD COLUMN "away_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "room_messages" ADD COLUMN "turn" integer;--> statement-breakpoint
ALTER TABLE "room_messages" ADD COLUMN "words" integer;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "ended_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turns" text DEFAULT 'free' NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "is_folded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_seconds" integer;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "passage_max" integer;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "is_closed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_holder" text;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_ends_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_lease_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "is_last_turn" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "turn_due_at" timestamp(3) with time zone;
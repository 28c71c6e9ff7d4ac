ALTER TABLE "rooms" ADD COLUMN "opening" text;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "word_goal" integer;
ALTER TABLE "sessions" ADD COLUMN "id" uuid DEFAULT overlay(gen_random_uuid()::text placing '7' from 15)::uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "system" text;
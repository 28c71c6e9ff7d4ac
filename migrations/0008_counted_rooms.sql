ALTER TABLE "rooms" ADD COLUMN "counted_event" integer;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "counted_members" integer;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "counted_contributors" integer;--> statement-breakpoint
CREATE INDEX "rooms_uncounted" ON "rooms" USING btree ("expires_at") WHERE counted_event is null;
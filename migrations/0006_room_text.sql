ALTER TABLE "rooms" ADD COLUMN "text_bytes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "rooms" SET "text_bytes" = (
  SELECT coalesce(sum(octet_length("content")), 0) FROM "room_messages" WHERE "room_id" = "rooms"."id"
);

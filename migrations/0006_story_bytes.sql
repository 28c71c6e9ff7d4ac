ALTER TABLE "rooms" ADD COLUMN "story_bytes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What an older version writes beside this one is not counted: such a story may become a little longer.
UPDATE "rooms" SET "story_bytes" = (
  SELECT coalesce(sum(octet_length("content") + 200), 0) FROM "room_messages" WHERE "room_id" = "rooms"."id"
);

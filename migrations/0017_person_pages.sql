DROP INDEX "room_messages_of_author";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "has_page" boolean;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "introduction" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "posts_published_of_author" ON "posts" USING btree ("author_id","published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"author_name") WHERE is_visible and published_at is not null;--> statement-breakpoint
CREATE INDEX "room_messages_of_author" ON "room_messages" USING btree ("user_id","room_id","position");
ALTER TABLE "posts" VALIDATE CONSTRAINT "posts_replaces_id_posts_id_fk";--> statement-breakpoint
CREATE INDEX "covers_of_taken_back_post" ON "covers" USING btree ("taken_back_post_id") WHERE taken_back_post_id is not null;--> statement-breakpoint
DROP INDEX "posts_of_feed_day";--> statement-breakpoint
CREATE UNIQUE INDEX "posts_waiting_version" ON "posts" USING btree ("replaces_id") WHERE replaces_id is not null;--> statement-breakpoint
CREATE INDEX "posts_edited_of_author" ON "posts" USING btree ("author_id","edited_at" DESC NULLS FIRST,"author_name") WHERE is_visible and published_at is not null and edited_at is not null;--> statement-breakpoint
CREATE INDEX "posts_of_feed_day" ON "posts" USING btree ("published_on" DESC NULLS FIRST,"sort_order" DESC NULLS FIRST,"published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"edited_at") WHERE is_visible;
ALTER TABLE "posts" ADD COLUMN "decided_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "decided_by_id" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "decision_reason" text;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "posts_by_creation" ON "posts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "posts_hidden" ON "posts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE not is_visible;--> statement-breakpoint
CREATE INDEX "posts_counted" ON "posts" USING btree ("published_on","like_count","comment_count") WHERE published_at is not null;--> statement-breakpoint
CREATE INDEX "posts_of_decider" ON "posts" USING btree ("decided_by_id") WHERE decided_by_id is not null;
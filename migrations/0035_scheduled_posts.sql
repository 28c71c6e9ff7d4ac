CREATE TABLE "scheduled_posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"author_name" text NOT NULL,
	"post_type" text NOT NULL,
	"category" text,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"form" text,
	"is_visible" boolean DEFAULT true NOT NULL,
	"image_url" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"author_id" text NOT NULL,
	"publish_at" timestamp(3) with time zone NOT NULL,
	"attempt_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "scheduled_post_id" uuid;--> statement-breakpoint
ALTER TABLE "scheduled_posts" ADD CONSTRAINT "scheduled_posts_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scheduled_posts_of_author" ON "scheduled_posts" USING btree ("author_id","publish_at","id");--> statement-breakpoint
CREATE INDEX "scheduled_posts_by_attempt" ON "scheduled_posts" USING btree ("attempt_at");--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_scheduled_post_id_scheduled_posts_id_fk" FOREIGN KEY ("scheduled_post_id") REFERENCES "public"."scheduled_posts"("id") ON DELETE set null ON UPDATE no action;
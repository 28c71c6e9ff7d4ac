CREATE TABLE "post_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"post_id" uuid NOT NULL,
	"author_id" text NOT NULL,
	"content" text NOT NULL,
	"written_at" timestamp(3) with time zone NOT NULL,
	"replaced_at" timestamp(3) with time zone NOT NULL,
	"was_published" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "taken_back_posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"author_name" text NOT NULL,
	"author_id" text NOT NULL,
	"post_type" text NOT NULL,
	"category" text,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"form" text,
	"is_visible" boolean DEFAULT true NOT NULL,
	"image_url" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"written_at" timestamp(3) with time zone,
	"published_at" timestamp(3) with time zone,
	"published_on" date,
	"edited_at" timestamp(3) with time zone,
	"like_count" integer DEFAULT 0 NOT NULL,
	"share_count" integer DEFAULT 0 NOT NULL,
	"comment_count" integer DEFAULT 0 NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"submitted_from" text,
	"content_digest" text NOT NULL,
	"decided_at" timestamp(3) with time zone,
	"decided_by_id" text,
	"decision_reason" text,
	"taken_back_at" timestamp(3) with time zone NOT NULL,
	"kind" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "taken_back_post_id" uuid;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "category" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "tags" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "form" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "written_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "edited_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "replaces_id" uuid;--> statement-breakpoint
ALTER TABLE "post_versions" ADD CONSTRAINT "post_versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "taken_back_posts" ADD CONSTRAINT "taken_back_posts_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "taken_back_posts" ADD CONSTRAINT "taken_back_posts_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_versions_of_post" ON "post_versions" USING btree ("post_id","replaced_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "post_versions_of_author" ON "post_versions" USING btree ("author_id","replaced_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "taken_back_posts_of_author" ON "taken_back_posts" USING btree ("author_id","taken_back_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "taken_back_posts_by_time" ON "taken_back_posts" USING btree ("taken_back_at");--> statement-breakpoint
CREATE INDEX "taken_back_posts_of_decider" ON "taken_back_posts" USING btree ("decided_by_id") WHERE decided_by_id is not null;--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_taken_back_post_id_taken_back_posts_id_fk" FOREIGN KEY ("taken_back_post_id") REFERENCES "public"."taken_back_posts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
-- Not checked here, since nobody could write meanwhile. The next migration checks it.
ALTER TABLE "posts" ADD CONSTRAINT "posts_replaces_id_posts_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action NOT VALID;
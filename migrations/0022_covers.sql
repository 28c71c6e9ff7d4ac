CREATE TABLE "covers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uploaded_at" timestamp(3) with time zone NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"post_id" uuid,
	CONSTRAINT "covers_of_post" UNIQUE("post_id")
);
--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE set null ON UPDATE no action;
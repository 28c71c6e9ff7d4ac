CREATE TABLE "post_words" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"published_at" timestamp(3) with time zone NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "room_words" (
	"room_id" uuid PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "post_words" ADD CONSTRAINT "post_words_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_words" ADD CONSTRAINT "room_words_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_words_words" ON "post_words" USING gin ("words") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "post_words_by_time" ON "post_words" USING btree ("published_at","post_id");--> statement-breakpoint
CREATE INDEX "posts_by_author_name" ON "posts" USING btree (folded_name(author_name)) WHERE is_visible and published_at is not null;--> statement-breakpoint
CREATE INDEX "room_words_words" ON "room_words" USING gin ("words");--> statement-breakpoint
-- Keeps the words apart from the rows: a search reads many rows and the words of few.
ALTER TABLE "post_words" SET (toast_tuple_target = 128);
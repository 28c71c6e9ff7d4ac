-- Names for search: without case and marks, so that 'jose' finds 'José'.
CREATE FUNCTION folded_name(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT lower(btrim(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')))
$$;--> statement-breakpoint
CREATE TABLE "blocks" (
	"blocker_id" text NOT NULL,
	"blocked_id" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "blocks_blocker_id_blocked_id_pk" PRIMARY KEY("blocker_id","blocked_id")
);
--> statement-breakpoint
CREATE TABLE "friendships" (
	"id" uuid PRIMARY KEY NOT NULL,
	"low_id" text NOT NULL,
	"high_id" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"low_shows_email" boolean NOT NULL,
	"high_shows_email" boolean NOT NULL,
	"last_position" integer DEFAULT 0 NOT NULL,
	"last_message_at" timestamp(3) with time zone,
	"low_read_position" integer DEFAULT 0 NOT NULL,
	"high_read_position" integer DEFAULT 0 NOT NULL,
	"low_unread_count" integer DEFAULT 0 NOT NULL,
	"high_unread_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "friendships_in_order" CHECK (low_id collate "C" < high_id collate "C")
);
--> statement-breakpoint
CREATE TABLE "inbox_events" (
	"user_id" text NOT NULL,
	"number" integer NOT NULL,
	"name" text NOT NULL,
	"ids" jsonb NOT NULL,
	CONSTRAINT "inbox_events_user_id_number_pk" PRIMARY KEY("user_id","number")
);
--> statement-breakpoint
CREATE TABLE "inboxes" (
	"user_id" text PRIMARY KEY NOT NULL,
	"last_event" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "direct_messages" (
	"friendship_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"id" uuid NOT NULL,
	"sender_id" text NOT NULL,
	"content" "bytea" NOT NULL,
	"key_id" text,
	"diary_date" date,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "direct_messages_friendship_id_position_pk" PRIMARY KEY("friendship_id","position")
);
--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocker_id_users_id_fk" FOREIGN KEY ("blocker_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blocked_id_users_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "friendships" ADD CONSTRAINT "friendships_low_id_users_id_fk" FOREIGN KEY ("low_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "friendships" ADD CONSTRAINT "friendships_high_id_users_id_fk" FOREIGN KEY ("high_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_user_id_inboxes_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."inboxes"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inboxes" ADD CONSTRAINT "inboxes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "direct_messages" ADD CONSTRAINT "direct_messages_friendship_id_friendships_id_fk" FOREIGN KEY ("friendship_id") REFERENCES "public"."friendships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "blocks_of_blocked" ON "blocks" USING btree ("blocked_id");--> statement-breakpoint
CREATE UNIQUE INDEX "friendships_of_pair" ON "friendships" USING btree ("low_id","high_id");--> statement-breakpoint
CREATE INDEX "friendships_of_high" ON "friendships" USING btree ("high_id");--> statement-breakpoint
CREATE UNIQUE INDEX "direct_messages_by_id" ON "direct_messages" USING btree ("id");--> statement-breakpoint
CREATE INDEX "users_by_username" ON "users" USING btree (folded_name(username) text_pattern_ops) WHERE not is_anonymous;--> statement-breakpoint
CREATE INDEX "users_by_full_name" ON "users" USING btree (folded_name((coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) text_pattern_ops) WHERE not is_anonymous;--> statement-breakpoint
CREATE INDEX "users_by_last_name" ON "users" USING btree (folded_name(last_name) text_pattern_ops) WHERE not is_anonymous;
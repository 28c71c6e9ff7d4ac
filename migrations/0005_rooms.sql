CREATE TABLE "room_messages" (
	"room_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" text,
	"content" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"event" integer NOT NULL,
	CONSTRAINT "room_messages_room_id_position_pk" PRIMARY KEY("room_id","position")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "show_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "presence" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "room_members" ADD COLUMN "event" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "last_position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "last_event" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "room_messages" ADD CONSTRAINT "room_messages_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_messages" ADD CONSTRAINT "room_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "room_messages_by_event" ON "room_messages" USING btree ("room_id","event");--> statement-breakpoint
CREATE INDEX "room_messages_of_author" ON "room_messages" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "room_members_by_event" ON "room_members" USING btree ("room_id","event") WHERE event > 0;--> statement-breakpoint
CREATE INDEX "rooms_public_by_end" ON "rooms" USING btree ("expires_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE is_public;--> statement-breakpoint
CREATE INDEX "rooms_words" ON "rooms" USING gin (to_tsvector('simple', regexp_replace(normalize(name || ' ' || description), '[[:punct:][:space:]]+', ' ', 'g')));--> statement-breakpoint
CREATE INDEX "rooms_of_creator" ON "rooms" USING btree ("created_by_user_id","expires_at");
CREATE TABLE "room_asides" (
	"room_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"content" "bytea" NOT NULL,
	"key_id" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "room_asides_room_id_id_pk" PRIMARY KEY("room_id","id")
);
--> statement-breakpoint
ALTER TABLE "room_asides" ADD CONSTRAINT "room_asides_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_asides" ADD CONSTRAINT "room_asides_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "room_asides_of_author" ON "room_asides" USING btree ("user_id");
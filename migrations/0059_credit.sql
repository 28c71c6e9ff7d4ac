CREATE TABLE "room_chains" (
	"room_id" uuid PRIMARY KEY NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"link" "bytea",
	"signed_position" integer DEFAULT 0 NOT NULL,
	"signed_at" timestamp(3) with time zone NOT NULL,
	"seal" "bytea",
	"head" "bytea",
	"key" "bytea",
	"origin" text,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "seal_keys" (
	"number" integer PRIMARY KEY NOT NULL,
	"public_key" "bytea" NOT NULL,
	"secret_key" "bytea",
	"key_id" text,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "room_members" ADD COLUMN "secret" "bytea";--> statement-breakpoint
ALTER TABLE "room_messages" ADD COLUMN "salt" "bytea";--> statement-breakpoint
ALTER TABLE "room_messages" ADD COLUMN "text_hash" "bytea";--> statement-breakpoint
ALTER TABLE "room_messages" ADD COLUMN "who" "bytea";--> statement-breakpoint
ALTER TABLE "room_chains" ADD CONSTRAINT "room_chains_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "room_chains_unsealed" ON "room_chains" USING btree ("room_id") WHERE seal is null;
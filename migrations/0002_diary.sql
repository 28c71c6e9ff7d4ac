CREATE TABLE "calendar_notes" (
	"user_id" text NOT NULL,
	"note_date" date NOT NULL,
	"content" "bytea" NOT NULL,
	"key_id" text,
	"size" integer NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "calendar_notes_user_id_note_date_pk" PRIMARY KEY("user_id","note_date")
);
--> statement-breakpoint
CREATE TABLE "diary_entries" (
	"user_id" text NOT NULL,
	"entry_date" date NOT NULL,
	"content" "bytea" NOT NULL,
	"key_id" text,
	"size" integer NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "diary_entries_user_id_entry_date_pk" PRIMARY KEY("user_id","entry_date")
);
--> statement-breakpoint
ALTER TABLE "calendar_notes" ADD CONSTRAINT "calendar_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "diary_entries" ADD CONSTRAINT "diary_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "diary_size_of_person" ON "diary_entries" USING btree ("user_id","size");
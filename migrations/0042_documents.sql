CREATE TABLE "documents" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source" text NOT NULL,
	"title" "bytea" NOT NULL,
	"content" "bytea" NOT NULL,
	"key_id" text,
	"size" integer NOT NULL,
	"word_count" integer NOT NULL,
	"created_at" timestamp(3) with time zone,
	"added_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "documents_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_of_person" ON "documents" USING btree ("user_id","added_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
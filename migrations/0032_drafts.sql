CREATE TABLE "drafts" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"content" "bytea" NOT NULL,
	"key_id" text,
	"size" integer NOT NULL,
	"author_name" text,
	"post_type" text NOT NULL,
	"form" text,
	"category" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"post_id" uuid,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "drafts_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drafts_of_person" ON "drafts" USING btree ("user_id","updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
CREATE TABLE "openid_attempts" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"issuer" text,
	"subject" text,
	"email" text,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "openid_links" (
	"user_id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"linked_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "openid_attempts" ADD CONSTRAINT "openid_attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "openid_links" ADD CONSTRAINT "openid_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "openid_attempts_of_user" ON "openid_attempts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "openid_attempts_by_expiry" ON "openid_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "openid_links_of_subject" ON "openid_links" USING btree ("issuer","subject");
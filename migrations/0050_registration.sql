CREATE TABLE "registration_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"label" text NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"max_uses" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registration_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"secret" text NOT NULL,
	"person" jsonb,
	"created_at" timestamp(3) with time zone NOT NULL,
	"refused_at" timestamp(3) with time zone,
	"guest_id" text,
	CONSTRAINT "registration_requests_email_unique" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "registration_requests" ADD CONSTRAINT "registration_requests_guest_id_users_id_fk" FOREIGN KEY ("guest_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "registration_links_of_token" ON "registration_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "registration_links_by_expiry" ON "registration_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "registration_requests_waiting" ON "registration_requests" USING btree ("created_at","id") WHERE refused_at is null;--> statement-breakpoint
CREATE INDEX "registration_requests_refused" ON "registration_requests" USING btree ("refused_at") WHERE refused_at is not null;--> statement-breakpoint
CREATE INDEX "registration_requests_of_guest" ON "registration_requests" USING btree ("guest_id") WHERE guest_id is not null;
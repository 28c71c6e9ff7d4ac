CREATE TABLE "invitation_acceptances" (
	"inviter_id" text NOT NULL,
	"person_id" text NOT NULL,
	"accepted_at" timestamp(3) with time zone NOT NULL,
	"declined_at" timestamp(3) with time zone,
	CONSTRAINT "invitation_acceptances_inviter_id_person_id_pk" PRIMARY KEY("inviter_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"inviter_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invitation_acceptances" ADD CONSTRAINT "invitation_acceptances_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_acceptances" ADD CONSTRAINT "invitation_acceptances_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_acceptances_of_person" ON "invitation_acceptances" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "invitation_acceptances_by_time" ON "invitation_acceptances" USING btree ("accepted_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_of_token" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitations_of_inviter" ON "invitations" USING btree ("inviter_id");--> statement-breakpoint
CREATE INDEX "invitations_by_expiry" ON "invitations" USING btree ("expires_at");
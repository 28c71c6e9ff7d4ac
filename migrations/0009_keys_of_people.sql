-- Custom SQL migration: the schema of the program does not name this column.
-- A kept answer goes with its person, whoever deletes the account and whatever of theirs is on its way.
DELETE FROM "idempotency_keys" WHERE "person" NOT LIKE 'at %' AND NOT EXISTS (SELECT FROM "users" WHERE "id" = "person");--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "user_id" text
  GENERATED ALWAYS AS (CASE WHEN "person" NOT LIKE 'at %' THEN "person" END) STORED
  REFERENCES "public"."users"("id") ON DELETE cascade;--> statement-breakpoint
-- Serves: the deletion of the keys of a person.
CREATE INDEX "idempotency_keys_of_user" ON "idempotency_keys" USING btree ("user_id") WHERE "user_id" IS NOT NULL;

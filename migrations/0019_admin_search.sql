-- A trusted extension of Postgres: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
DROP INDEX "audit_log_by_time";--> statement-breakpoint
CREATE INDEX "emails_by_part" ON "emails" USING gin (address gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_by_part_of_name" ON "users" USING gin (username gin_trgm_ops,(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops) WHERE not is_anonymous;--> statement-breakpoint
CREATE INDEX "audit_log_in_order" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_action" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_actor" ON "audit_log" USING btree ("actor_id","at","id") WHERE actor_id is not null;--> statement-breakpoint
CREATE INDEX "audit_log_of_subject" ON "audit_log" USING btree ("subject_id","at","id") WHERE subject_id is not null;
ALTER TABLE "room_messages" ADD COLUMN "erasing_event" integer;--> statement-breakpoint
CREATE INDEX "abuse_reports_of_target" ON "abuse_reports" USING btree ("target_id");--> statement-breakpoint
CREATE UNIQUE INDEX "room_messages_by_erasing_event" ON "room_messages" USING btree ("room_id","erasing_event") WHERE erasing_event is not null;
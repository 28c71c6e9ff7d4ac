CREATE UNIQUE INDEX "room_messages_by_turn" ON "room_messages" USING btree ("room_id","turn") WHERE turn is not null;--> statement-breakpoint
CREATE INDEX "rooms_not_ended" ON "rooms" USING btree ("expires_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "rooms_by_due_turn" ON "rooms" USING btree ("turn_due_at") WHERE turn_due_at is not null;
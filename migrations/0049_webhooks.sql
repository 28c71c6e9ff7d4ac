CREATE TABLE "webhook_attempts" (
	"id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"status" integer,
	"failure" text,
	CONSTRAINT "webhook_attempts_webhook_id_id_pk" PRIMARY KEY("webhook_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid DEFAULT overlay(gen_random_uuid()::text placing '7' from 15)::uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"attempt_at" timestamp(3) with time zone,
	"give_up_at" timestamp(3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "webhook_deliveries_webhook_id_id_pk" PRIMARY KEY("webhook_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"leased_until" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_attempts_by_time" ON "webhook_attempts" USING btree ("webhook_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_of_subject" ON "webhook_deliveries" USING btree ("webhook_id","event","subject_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","attempt_at") WHERE attempt_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_age" ON "webhook_deliveries" USING btree ("created_at");
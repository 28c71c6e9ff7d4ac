CREATE TABLE "allowances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"network" text,
	"factor" integer NOT NULL,
	"until" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "allowances_factor" CHECK (factor between 2 and 20)
);
--> statement-breakpoint
CREATE INDEX "allowances_by_end" ON "allowances" USING btree ("until");
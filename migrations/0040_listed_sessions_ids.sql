-- Apart from the new column, so that requests go on reading the sessions meanwhile.
UPDATE "sessions" SET "id" = DEFAULT WHERE "id" IS NULL;--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "id" SET NOT NULL;
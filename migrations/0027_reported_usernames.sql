ALTER TABLE "abuse_reports" ALTER COLUMN "content" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD COLUMN "author_username" text;
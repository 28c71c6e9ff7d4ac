ALTER TABLE "invitation_acceptances" ADD COLUMN "room_id" uuid;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "room_id" uuid;
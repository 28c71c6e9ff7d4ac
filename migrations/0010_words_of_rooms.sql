-- Each counted room writes its row anew: a list of pending words would be read by every search until it is merged.
ALTER INDEX "rooms_words" SET (fastupdate = off);--> statement-breakpoint
SELECT gin_clean_pending_list('"rooms_words"');

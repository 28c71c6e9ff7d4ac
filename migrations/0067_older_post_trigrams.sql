-- Rows of posts that were added before the trigger. It is a migration of its own, so that no writer waits for it.
INSERT INTO post_trigrams (post_id) SELECT id FROM posts ON CONFLICT DO NOTHING;

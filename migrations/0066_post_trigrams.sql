CREATE TABLE "post_trigrams" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"trigrams" smallint[]
);
--> statement-breakpoint
CREATE INDEX "post_trigrams_trigrams" ON "post_trigrams" USING gin ("trigrams") WITH (gin_pending_list_limit=512) WHERE trigrams is not null;--> statement-breakpoint
CREATE INDEX "post_trigrams_missing" ON "post_trigrams" USING btree ("post_id") WHERE trigrams is null;--> statement-breakpoint
-- The numbers do not compress, so Postgres does not try.
ALTER TABLE "post_trigrams" ALTER COLUMN "trigrams" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE FUNCTION post_trigrams_follow() RETURNS trigger
LANGUAGE plpgsql AS $$
begin
  if tg_op = 'INSERT' then
    -- The row is there if the post was deleted and restored while the next migration ran.
    insert into public.post_trigrams (post_id) values (new.id) on conflict (post_id) do update set trigrams = null;
  elsif tg_op = 'UPDATE' then
    -- No insert: it would wait for the next migration, whose rows have no trigrams either.
    update public.post_trigrams set trigrams = null where post_id = new.id;
  else
    delete from public.post_trigrams where post_id = old.id;
  end if;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER post_trigrams_follow AFTER INSERT OR DELETE OR UPDATE OF content, author_name ON posts
FOR EACH ROW EXECUTE FUNCTION post_trigrams_follow();

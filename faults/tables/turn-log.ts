import type { Client } from 'pg'

/** What is stored of a table at the end of a transaction that changed it. Times are milliseconds of the clock. */
export interface LoggedTable {
  roomId: string
  at: number
  revision: number
  turn: number
  holder: string | null
  endsAt: number | null
  leaseAt: number | null
  isLast: boolean
  isEnded: boolean
  members: Record<string, { state: 'ready' | 'away' | 'waiting'; missed: number }>
}

/** Lets the database log each change of a table, and each seal. */
export async function startTurnLog(db: Client): Promise<void> {
  await db.query(`
    create table turn_log (
      n bigserial primary key, room_id uuid, at timestamptz, revision int, turn int, holder text,
      ends_at timestamptz, lease_at timestamptz, is_last boolean, is_ended boolean, members jsonb);
    create function log_turn() returns trigger language plpgsql as $$ begin
      insert into turn_log (room_id, at, revision, turn, holder, ends_at, lease_at, is_last, is_ended, members)
        select id, clock_timestamp(), turn_revision, turn, turn_holder, turn_ends_at, turn_lease_at, is_last_turn,
          ended_at is not null,
          (select coalesce(jsonb_object_agg(user_id, jsonb_build_object('state', table_state, 'missed', missed_turns)), '{}')
            from room_members where room_id = rooms.id and table_state is not null)
        from rooms where id = new.id and turns <> 'free';
      return null; end $$;
    create constraint trigger log_turn after update on rooms deferrable initially deferred
      for each row execute function log_turn();
    create table seal_log (room_id uuid, seal bytea);
    create function log_seal() returns trigger language plpgsql as $$ begin
      insert into seal_log values (new.room_id, new.seal); return null; end $$;
    create trigger log_seal after update on room_chains for each row
      when (old.seal is distinct from new.seal) execute function log_seal()`)
}

export async function readTurnLog(db: Client): Promise<LoggedTable[]> {
  const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
  const { rows } = await db.query<LoggedTable>(`
    select room_id as "roomId", ${ms('at')} as at, revision, turn, holder, ${ms('ends_at')} as "endsAt",
      ${ms('lease_at')} as "leaseAt", is_last as "isLast", is_ended as "isEnded", members
    from turn_log order by n`)
  return rows
}

/** The number of seals that each room has got. */
export async function countSeals(db: Client): Promise<Map<string, number>> {
  const { rows } = await db.query<{ roomId: string; count: number }>(
    'select room_id as "roomId", count(*)::int as count from seal_log group by room_id',
  )
  return new Map(rows.map(({ roomId, count }) => [roomId, count]))
}

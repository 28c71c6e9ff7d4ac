-- The time of the database, in the milliseconds that JavaScript keeps. Tests move it by `app.clock_offset`.
CREATE FUNCTION app_now() RETURNS timestamp with time zone
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT date_trunc(
    'milliseconds',
    clock_timestamp() + coalesce(nullif(current_setting('app.clock_offset', true), ''), '0 ms')::interval
  )
$$;

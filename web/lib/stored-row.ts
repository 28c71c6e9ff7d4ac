/** The type of a field, or two of them: `string or null`. */
type FieldType<Value> = [Value] extends [string | number | boolean]
  ? TypeName<Value>
  : `${TypeName<Value>} or null`
type TypeName<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'boolean'
      : never

/** A schema for `storedJson` that checks the types of fields alone: a page that stores simple rows imports no zod. */
export const storedRow = <Row extends object>(types: { [Name in keyof Row]: FieldType<Row[Name]> }) => ({
  parse: (stored: unknown): Row => {
    const row = stored as Record<string, unknown>
    for (const [name, type] of Object.entries<string>(types))
      if (!type.split(' or ').includes(row[name] === null ? 'null' : typeof row[name]))
        throw new TypeError(`The field ${name} is not of the type ${type}.`)
    return stored as Row
  },
})

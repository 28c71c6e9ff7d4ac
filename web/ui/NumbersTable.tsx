interface NumbersTableProps {
  caption: string
  columns: string[]
  /** The first cell is the heading of its row. */
  rows: (string | number)[][]
}

// Some browsers scroll an element with the arrow keys only if it can take the focus.
const reachableByKeys = { tabIndex: 0 }

/** The numbers of a chart as a table. */
export function NumbersTable({ caption, columns, rows }: NumbersTableProps) {
  return (
    <details className="text-sm">
      <summary className="touch w-fit text-ink-soft">Show as a table</summary>
      <div
        role="region"
        aria-label={`${caption} as a table`}
        {...reachableByKeys}
        className="mt-2 max-h-72 overflow-auto"
      >
        <table className="w-full [&_th]:text-start">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className="py-1 pe-4 font-medium">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="py-1 pe-4 font-normal">
                  {name}
                </th>
                {cells.map((cell, i) => (
                  <td key={columns[i + 1]} className="py-1 pe-4 tabular-nums">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

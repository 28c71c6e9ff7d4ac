interface Block {
  Tag: 'h2' | 'h3' | 'p'
  text: string
}

/** A text of an admin. A line that begins with `# ` or `## ` is a heading, and a blank line ends a paragraph. */
export function TextWithHeadings({ text }: { text: string }) {
  return (
    <div className="reading flex flex-col gap-4 [&_h2]:mt-4 [&_h2]:text-xl [&_h3]:mt-2 [&_h3]:font-semibold [&_p]:whitespace-pre-line">
      {blocksOf(text).map(({ Tag, text }, number) => (
        // The index is a safe key: blocks have no ids and are never moved.
        <Tag key={number} dir="auto">
          {text}
        </Tag>
      ))}
    </div>
  )
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ Tag: 'p', text: paragraph.join('\n') })
    paragraph = []
  }
  for (const line of text.split('\n')) {
    const [, signs, heading = ''] = /^(##?) (.*)/.exec(line) ?? []
    if (heading.trim() !== '') {
      endParagraph()
      blocks.push({ Tag: signs === '#' ? 'h2' : 'h3', text: heading.trim() })
    } else if (line.trim() === '') endParagraph()
    else paragraph.push(line)
  }
  endParagraph()
  return blocks
}

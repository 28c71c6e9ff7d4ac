import { WrittenBody } from '#web/ui/WrittenText.tsx'

/** The text of a piece. A poem keeps its lines on every screen. */
export const Piece = ({ content, isVerse }: { content: string; isVerse: boolean }) => (
  <div className="reading">
    <WrittenBody form={{ title: null, body: content, isVerse }} />
  </div>
)

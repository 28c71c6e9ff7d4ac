/** The first file of an archive, for whoever opens it years later. */
export const readme = (name: string): string => `Everything of ${name}

This is a copy of what you wrote and chose in Z!mmer. Nothing was taken away by making it.
All files are plain text (UTF-8), apart from the books (.epub). Any editor opens the .md and .json files.

diary/               One file for each day, named after the day.
calendar/            The notes of the calendar, one file for each day.
diary.dayone.json    The diary once more, in the format of Day One, which other diary programs read.
posts/               Your posts, also those that wait, are scheduled or were taken back.
                     A folder with the id of a post has its earlier texts.
drafts/              Posts that you have not sent.
documents/           Texts that you imported and that are neither days nor posts.
stories/             The stories that you wrote in: the passages, of which "isMine" marks yours (passages.json),
                     and, of a finished story, the text to read (story.md) and a book (story.epub).
messages/            Your conversations, both sides, to read (.md) and for programs (.json).
friends.json         Your friends, and the people whom you blocked.
settings.json        Your account and what you chose in the settings. No password.
notifications.json   What you have not looked at yet.
reading.json         Posts that you keep to read later, and the people whom you follow.
comments.json        Comments on posts, which only your browser had. Not in every copy.
reading-positions.json  Where you left off in long texts, in that browser. Not in every copy.
manifest.json        Every other file with its size and its SHA-256 checksum.

Above the text of an .md file, between two lines of three dashes, stand its dates and its other facts.
Below the second line the text begins, exactly as you typed it.
Times are in UTC and end with a Z. A day of the diary is the day that you chose, in no time zone.

To check that no file was damaged, compare its checksum with the one in manifest.json. On Linux: sha256sum FILE,
on a Mac: shasum -a 256 FILE, on Windows: certutil -hashfile FILE SHA256
`

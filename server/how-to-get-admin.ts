/** What an operator reads at a start of an instance without an admin. npm is not in the image, so the command differs there. */
export function howToGetAdmin({ npm_lifecycle_event }: Record<string, string | undefined>): string {
  const grant =
    npm_lifecycle_event === undefined
      ? 'run "node server/zimmer.ts admin grant EMAIL" in the folder of this server and with its settings (in a container: "docker exec --interactive --tty CONTAINER node server/zimmer.ts admin grant EMAIL")'
      : 'run "npm run zimmer -- admin grant EMAIL" in a second terminal'
  return `Nobody is an admin yet, so nobody can approve posts. To become one, open the address with the set-up code that this start prints. Or register on the page, then ${grant}. Or start the server once with ADMIN_EMAIL and ADMIN_PASSWORD (at least 12 characters).`
}

export const abuseReportErrors = {
  /** The same answer for what does not exist and for what the caller may not see. */
  NothingToReport: { status: 404, error: 'This no longer exists, or you cannot see it.' },
  OwnReport: { status: 400, error: 'You cannot report yourself.' },
  ReportNotFound: { status: 404, error: 'This report no longer exists.' },
  ReportedThingGone: {
    status: 400,
    error: 'What was reported is gone already. Nothing was changed, and the report is still open.',
  },
  AuthorWithoutAccount: {
    status: 400,
    error: 'The author has no account, so nobody can be warned or suspended. Nothing was changed.',
  },
  ReportClosed: { status: 409, error: 'Somebody else has closed this report.' },
} as const

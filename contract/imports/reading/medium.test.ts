import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'

const post = (
  title: string,
  body: string,
  footer = '',
) => `<!DOCTYPE html><html><head><title>${title}</title></head><body>
<article class="h-entry"><header><h1 class="p-name">${title}</h1></header>
<section data-field="subtitle" class="p-summary">Short</section>
<section data-field="body" class="e-content"><section class="section">${body}</section></section>
<footer><p>By <a href="https://medium.com/@ana" class="p-author h-card">Ana</a> ${footer}</p></footer></article></body></html>`

const published =
  'on <a href="https://medium.com/p/1"><time class="dt-published" datetime="2024-03-01T10:00:00.000Z">March 1</time></a>.'

test('an archive of Medium is read: posts, drafts and replies, each counted once [OWN-17] [OWN-18]', async () => {
  const files = {
    'posts/2024-03-01_The-sea-1.html': post(
      'The sea',
      '<h3 class="graf graf--h3 graf--title">The sea</h3><p>Waves.</p><blockquote>So.</blockquote><img src="https://a.example/b.jpeg">',
      published,
    ),
    'posts/draft_No-date-2.html': post('No date', '<p>Text.</p>'),
    'posts/2024-03-02_I-agree--3.html': post('I agree', '<p>I agree with you.</p>', published),
    'posts/2024-03-03_empty-4.html': post('', ''),
    'posts/2024-03-04_latin-5.html': Uint8Array.of(0x3c, 0x70, 0x3e, 0xe9),
    'profile/profile.html': '<p>Ana</p>',
    'README.html': '<p>x</p>',
  }
  const file = await importOf(files)
  const draft = { kind: 'draft', category: null, tags: [] }
  expect(file.format).toBe('medium')
  expect(file.entries).toEqual([
    {
      ...draft,
      title: 'The sea',
      text: 'Waves.\n\n> So.',
      createdAt: '2024-03-01T10:00:00.000Z',
      place: 'posts/2024-03-01_The-sea-1.html',
    },
    { ...draft, title: 'No date', text: 'Text.', createdAt: null, place: 'posts/draft_No-date-2.html' },
    {
      ...draft,
      title: '',
      text: 'I agree with you.',
      createdAt: '2024-03-01T10:00:00.000Z',
      place: 'posts/2024-03-02_I-agree--3.html',
    },
  ])
  expect(file.notUnderstood).toMatchObject([{ place: 'posts/2024-03-04_latin-5.html' }])
  expect(countOf(file)).toBe(Object.keys(files).length + 1)
})

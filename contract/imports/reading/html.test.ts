import { expect, test } from 'vitest'
import { cpuMsOf } from '#contract/testing/cpu-time.ts'
import { readHtml } from './html.ts'

test.each([
  ['paragraphs', '<p>One\n two.</p><p>Three.</p>', 'One two.\n\nThree.'],
  ['line breaks', 'A line<br>and another<br/><br/>A stanza', 'A line\nand another\n\nA stanza'],
  ['empty paragraphs', '<p>A</p><p><br></p><p>&nbsp;</p><p>B</p>', 'A\n\nB'],
  ['a heading', '<h2>The sea</h2>Waves.', 'The sea\n\nWaves.'],
  ['a list', '<p>Buy:</p><ul><li>ink</li><li>paper</li></ul><p>Go.</p>', 'Buy:\n\n- ink\n- paper\n\nGo.'],
  ['numbers', '<ol><li><p>one</p></li><li>two<ul><li>a</li></ul></li></ol>', '1. one\n2. two\n   - a'],
  [
    'a quote',
    '<p>He said</p><blockquote><p>Yes.</p><p>No.</p></blockquote><p>So.</p>',
    'He said\n\n> Yes.\n>\n> No.\n\nSo.',
  ],
  ['a link', 'See <a href="https://a.example/x">my page</a>!', 'See my page (https://a.example/x)!'],
  ['a link whose text is its address', '<a href="https://a.example/">a.example</a>', 'a.example'],
  ['a link that runs a script', '<a href="javascript:alert(1)">here</a>', 'here'],
  ['a mail address', '<a href="mailto:ana@a.example">Ana</a>', 'Ana (ana@a.example)'],
  ['entities', '&lt;b&gt; &amp; &eacute; &#x2014; a&nbsp;b', '<b> & é — a b'],
  ['a bare ampersand', 'Tom & Jerry &unknown; 5 < 6', 'Tom & Jerry &unknown; 5 < 6'],
  ['scripts and styles', '<style>p{}</style><script>x</script><title>T</title>text', 'text'],
  ['a head that never ends', '<html><head><title>T</title><body><p>text', 'text'],
  ['preformatted text', '<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
  ['a table', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a b\n1 2'],
  ['a line across', '<p>a</p><hr><p>b</p>', 'a\n\n* * *\n\nb'],
  ['tags that never end', '<p>one<p>two <b>three', 'one\n\ntwo three'],
  ['inline tags', '<p>s<b>o</b> <i> far</i></p>', 'so far'],
])('HTML becomes text: %s [OWN-09]', (_what, html, text) => {
  expect(readHtml(html).text).toBe(text)
})

test('line breaks of the older editor are kept [OWN-09]', () => {
  const html = 'First line\nsecond <b>line</b>\n\nNext\n<blockquote>quoted\ntext</blockquote>\n\nEnd'
  expect(readHtml(html, { keepsLines: true }).text).toBe(
    'First line\nsecond line\n\nNext\n\n> quoted\n> text\n\nEnd',
  )
})

test('pictures are named once each [OWN-13]', () => {
  const html =
    '<img src="a.jpg"><img src="a.jpg"><video src="b.mp4"></video><iframe src="https://v.example/1"></iframe><img>'
  expect(readHtml(html).attachments).toEqual(['a.jpg', 'b.mp4', 'https://v.example/1'])
})

test('HTML that is nested too deeply is not understood [OWN-14]', () => {
  expect(() => readHtml('<b>'.repeat(100_000))).toThrow('nested too deeply')
})

test.each([
  ['links', '<a href=https://a.example>x</a>'],
  ['quotes', '<blockquote>x'.repeat(20) + '</blockquote>'.repeat(20)],
  ['open comments', '<!-- '],
  ['ends without a beginning', '<i></b></i>'],
  ['brackets', '<'],
  ['entities', '&amp&'],
  ['white space', ' \n'],
  ['attributes', '<p a=1 b=2 c=3>'],
])('HTML takes linear time: %s [OWN-14]', async (_what, piece) => {
  const read = () => {
    try {
      readHtml(piece.repeat(1e6 / piece.length))
    } catch {
      // A refusal is fast enough, too.
    }
  }
  expect(await cpuMsOf(read)).toBeLessThan(5000)
})

# Verifies seals and receipts by the formulas of docs/credit.md alone, without code of Z!mmer.
# Reads a JSON list of lists of files, and prints a JSON list of verdicts.
import base64, json, re, sys
from calendar import timegm
from datetime import datetime, timezone
from hashlib import sha256, sha512

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)

def point(code):  # RFC 8032, 5.1.3
    y = int.from_bytes(code, 'little'); sign = y >> 255; y &= 2**255 - 1
    assert y < P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P: x = x * ROOT % P
    assert (x * x - square) % P == 0 and not (x == 0 and sign)
    return (P - x if x & 1 != sign else x, y, 1)

def add(p, q):
    a = p[2] * q[2] % P; b = a * a % P; c = p[0] * q[0] % P; d = p[1] * q[1] % P; e = D * c * d % P
    f, g = b - e, b + e
    return (a * f * ((p[0] + p[1]) * (q[0] + q[1]) - c - d) % P, a * g * (d + c) % P, f * g % P)

def times(n, p):
    total = (0, 1, 1)
    while n:
        if n & 1: total = add(total, p)
        p, n = add(p, p), n >> 1
    return total

BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, 'little'))

def signed(key, signature, message):
    try:
        a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], 'little')
    except (AssertionError, ValueError): return False
    h = int.from_bytes(sha512(signature[:32] + key + message).digest(), 'little')
    x, y = times(s, BASE), add(r, times(h % L, a))
    return s < L and (x[0] * y[2] - y[0] * x[2]) % P == 0 and (x[1] * y[2] - y[1] * x[2]) % P == 0

def H(*parts): return sha256(b''.join(parts)).digest()
def n4(n): return n.to_bytes(4, 'big')
def room(file): return bytes.fromhex(file['room'].replace('-', ''))

def b(text, length=None):
    raw = base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))
    assert base64.urlsafe_b64encode(raw).rstrip(b'=').decode() == text and len(raw) in (length, len(raw) if length is None else length)
    return raw

def ms(text):
    assert re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z', text, re.ASCII)
    return (timegm(datetime.strptime(text[:19], '%Y-%m-%dT%H:%M:%S').timetuple()) * 1000 + int(text[20:23])).to_bytes(8, 'big')

def head_signed(file, position, link, key, signature):
    assert re.fullmatch(r'https?://[!$-.:;=\w~\[\]]+', file['origin'], re.ASCII)
    return signed(key, signature, b'zimmer/head/1' + room(file) + n4(position) + link + file['origin'].encode())

def verify(files):
    files = {json.loads(file)['format']: json.loads(file) for file in files}
    seal, receipt = files['zimmer/seal/1'], files.get('zimmer/receipt/1')
    links, entries = [H(b'\0', b'zimmer/1', room(seal), ms(seal['createdAt']), bytes(36))], seal['passages']
    for i, p in enumerate(entries):
        if p['text'] is not None and H(b'\2', b(p['salt'], 16), p['text'].encode()) != b(p['textHash']): return f'false {i + 1}'
        links.append(H(b'\1', links[-1], n4(i + 1), ms(p['time']), b(p['textHash'], 32), b(p['who'], 32)))
        if links[-1] != b(p['link']): return f'false {i + 1}'
    key, count = b(seal['key'], 32), len(entries)
    if seal['count'] != count or not signed(key, b(seal['seal'], 64), b'zimmer/seal/1' + links[-1] + n4(count) + ms(seal['endedAt']) + H(seal['title'].encode())): return 'false'
    if not head_signed(seal, count, links[-1], key, b(seal['head'], 64)): return 'false'
    if not receipt: return 'verified'
    head, who = receipt['head'], H(b'\3', b(receipt['secret'], 16), receipt['person'].encode())
    if not head_signed(receipt, head['position'], b(head['link'], 32), b(head['key'], 32), b(head['signature'], 64)): return 'false'
    if receipt['room'] != seal['room']: return 'false'
    if head['position'] > count or links[head['position']] != b(head['link']):
        return 'two histories' if head['key'] == seal['key'] else 'false'
    for p in receipt['passages']:
        n, sealed = p['position'], entries[p['position'] - 1] if 0 < p['position'] <= count else None
        if not sealed or b(sealed['who']) != who or sealed['time'] != p['time']: return f'false {n}'
        if p['text'] is not None and H(b'\2', b(p['salt'], 16), p['text'].encode()) != b(sealed['textHash']): return f'false {n}'
    return 'verified'

def verdict(files):
    try: return verify(files)
    except (AssertionError, ValueError, KeyError, TypeError, OverflowError): return 'false'

print(json.dumps([verdict(files) for files in json.load(sys.stdin)]))

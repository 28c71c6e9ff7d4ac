import { writtenCreator } from '#web/features/creators/samples/written-creator.ts'

export const koenigCreators = [
  writtenCreator({
    id: 'creator-amara-okonjo',
    name: 'Amara Okonjo',
    artistName: 'Amara of the Delta',
    description:
      'Novelist of river towns. Her families argue, forgive and set one more plate for whoever knocks after dark.',
    genre: 'Family saga',
    coverPattern: 'waves',
    colorScheme: { primary: '#1F4E5F', secondary: '#79A8A9', accent: '#F2B56B', background: '#E9F1EF' },
    tags: ['family saga', 'river stories', 'slow reading'],
    keywords: ['novel', 'delta', 'mothers', 'inheritance'],
    contentTypes: ['writing', 'stories', 'books', 'podcast', 'audio'],
    likes: 48_210,
    followers: 126_400,
    isVerified: true,
    category: 'könig',
    joinedAt: '2022-02-14',
    portfolio: {
      samples: [
        {
          title: 'The ninth plate',
          type: 'stories',
          content:
            'Grandmother laid nine plates for eight people, every evening, and nobody in our house was allowed to ask for whom. The year the river came up to the second step, somebody knocked.',
        },
        {
          title: 'What the ferryman charged',
          type: 'writing',
          content:
            'He took coins from the living and news from everyone else. My uncle paid in news for eleven years and never ran out.',
        },
      ],
      hourlyRate: 85,
      availability: 'available',
      skills: ['Story development', 'Line editing', 'Reading aloud'],
      testimonials: [
        {
          client: 'Harbour Street Readers',
          review: 'She found the one scene we had been avoiding, and it became the heart of our book.',
          rating: 5,
        },
        { client: 'Jonas P.', review: 'Kind, exact, and she answers when she says she will.', rating: 5 },
      ],
    },
  }),
  writtenCreator({
    id: 'creator-leopold-brandt',
    name: 'Leopold Brandt',
    artistName: 'Der Nachtbote',
    description:
      'Writes ballads about night trams, lost umbrellas and the people who return them. Performs with an accordion.',
    genre: 'Narrative poetry',
    coverPattern: 'lines',
    colorScheme: { primary: '#2F3E8F', secondary: '#8C97D9', accent: '#F0C75E', background: '#ECEEF9' },
    tags: ['ballads', 'city nights', 'live reading'],
    keywords: ['ballad', 'tram', 'rhyme', 'accordion'],
    contentTypes: ['poetry', 'music', 'audio', 'video'],
    likes: 39_875,
    followers: 98_020,
    isVerified: true,
    category: 'könig',
    joinedAt: '2022-05-03',
    portfolio: {
      samples: [
        {
          title: 'Last tram to the depot',
          type: 'poetry',
          content:
            'The driver hums. The windows shine.\nThe seats are empty, all but nine,\nand nobody has rung the bell.\nWhere each gets off, they will not tell.',
        },
      ],
      hourlyRate: 60,
      availability: 'busy',
      skills: ['Metre and rhyme', 'Stage readings', 'Song lyrics'],
      testimonials: [
        { client: 'Kulturhof Nord', review: 'Two hundred people and not one cough.', rating: 5 },
        { client: 'Marta S.', review: 'My wedding verses were finished a week early.', rating: 4 },
      ],
    },
  }),
  writtenCreator({
    id: 'creator-ines-carvalho',
    name: 'Inês Carvalho',
    artistName: 'Saltwater Ledger',
    description:
      'Keeps a public diary of a fishing town: prices, weather, gossip, and one small miracle every week.',
    genre: 'Diary',
    coverPattern: 'waves',
    colorScheme: { primary: '#0F5257', secondary: '#9AD1C9', accent: '#E4572E', background: '#F1F8F6' },
    tags: ['diary', 'seaside', 'weekly'],
    keywords: ['harbour', 'weather', 'neighbours', 'memory'],
    contentTypes: ['diary', 'writing', 'photography', 'audio'],
    likes: 35_402,
    followers: 87_950,
    isVerified: true,
    category: 'könig',
    joinedAt: '2022-09-21',
  }),
  writtenCreator({
    id: 'creator-hiroshi-tanabe',
    name: 'Hiroshi Tanabe',
    artistName: 'Paper Crane Post',
    description:
      'One haiku a day for eleven years, each photographed on the envelope that it was written on.',
    genre: 'Haiku',
    coverPattern: 'leaves',
    colorScheme: { primary: '#7A2E3A', secondary: '#E7A6A1', accent: '#3F6C51', background: '#FBF0EE' },
    tags: ['haiku', 'daily practice', 'letters'],
    keywords: ['season', 'envelope', 'quiet', 'garden'],
    contentTypes: ['poetry', 'photography', 'art', 'design', 'books'],
    likes: 52_117,
    followers: 143_800,
    isVerified: true,
    category: 'könig',
    joinedAt: '2021-11-30',
    portfolio: {
      samples: [
        {
          title: 'Envelope 3,904',
          type: 'poetry',
          content: 'rain on the letter box\nsomeone’s good news is getting\na little softer',
        },
        {
          title: 'Envelope 4,011',
          type: 'poetry',
          content: 'first cold morning\nthe cat reads yesterday’s paper\nwith her whole body',
        },
      ],
      hourlyRate: 45,
      availability: 'available',
      skills: ['Short forms', 'Calligraphy', 'Workshops for beginners'],
      testimonials: [{ client: 'Lena, a student', review: 'I count syllables at bus stops now.', rating: 5 }],
    },
  }),
]

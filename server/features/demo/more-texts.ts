import type { SamplePost } from './texts.ts'

/** More of the sample posts, by all twelve people. */
export const moreSamplePosts: readonly SamplePost[] = [
  {
    by: 8,
    daysAgo: 0,
    content:
      'Sonnet for the last tram\n\nThe driver knows us all by where we lean.\nThe nurse, asleep against the window glass;\nthe boy with flowers wrapped in magazine;\nthe man who lifts his hat to every pass.\nWe carry home what daylight did not spend,\na loaf, a quarrel, half a melody,\nand someone at the back, till journey’s end,\nrehearses being sorry, quietly.\nThe rain composes on the roof. The brakes\nsay yes, and yes, and set us down in pairs.\nA lamp goes on, a kettle coughs and wakes,\nsomebody’s key is climbing up the stairs.\nIt hums along with nobody inside,\nlit like a thought that nobody denied.',
  },
  {
    by: 9,
    daysAgo: 0,
    content:
      'Our village got its first website this week. My niece wrote the code, my uncle supplied the photograph of the goat, and the mayor asked whether the internet could be closed on Sundays. It can now: on Sundays the page says “We are at lunch. The goat is well.” It is the most visited page of the province.',
  },
  {
    by: 10,
    daysAgo: 0,
    content:
      'My mother’s handwriting leans to the right, as though walking into wind. I found eleven years of it in the attic: milk, thread, call the roof man. Not one sentence about how she felt. And yet, on the day my sister was born, she has written “milk” twice.',
  },
  {
    by: 11,
    daysAgo: 1,
    content:
      'How to cross a polder by bicycle: start too late. Forget the map. Take the dike, because the wind is up there and so are the lapwings. At the third bridge an old man will tell you that you are going the wrong way. Thank him. By then the light has come down to the level of the water and there is no wrong way left.',
  },
  {
    by: 8,
    daysAgo: 1,
    content:
      'The ghost in the reading room was easily offended. If you shelved a novel under Travel, it sighed until you came back. Old Maeve, who had run the library since the flood, used to leave the crossword on the radiator for it. On her last day she found every square filled in, in pencil, in a hand she had only ever seen on date stamps, and across the bottom: “Seven down was unfair.”',
  },
  {
    by: 9,
    daysAgo: 1,
    content:
      'A recipe for one\n\nTake an onion, the kind that argues.\nLet the butter tell it to calm down.\nAdd rice, and a song you know to the end,\nsince that is how long you stir.\nSet the table. Two forks, out of habit.\nPut one back. Eat while it is still a decision.',
  },
  {
    by: 10,
    daysAgo: 2,
    content:
      'Things my father said while teaching me to drive, in order: “Slowly.” “The other slowly.” “That was a chicken.” “Your grandmother drove this road with no lights and a goat.” “Good.” “Good.” “Now you may look at the sea.”',
  },
  {
    by: 6,
    daysAgo: 2,
    content:
      'The old lighthouse runs on software now, and the software has a bug: every night at 3:14 it blinks one time too many. The engineer wants to fix it. The fishermen have asked him to wait. They say it has been company.',
  },
  {
    by: 11,
    daysAgo: 3,
    content:
      'Haiku for the tax office\n\nNumber eighty-two.\nThe fern on the counter grows.\nNumber eighty-two.',
  },
  {
    by: 1,
    daysAgo: 3,
    content:
      'There is a station between Kraków and the mountains where the train stops for four minutes and nobody has ever been seen to get on. Last week I got off. There was a bench, a plum tree, and a woman selling raspberries to the four minutes. “You are the first,” she said, without surprise, and charged me the same as everyone.',
  },
  {
    by: 5,
    daysAgo: 4,
    content:
      'Chapter nine, in which the dragon retires\n\nIt was not the knees, she told the village council, though the knees were bad. It was the silence afterwards. One sets fire to a granary, one circles twice for effect, and then? Everybody has run away. In forty years nobody had stayed to say how it looked.\n\nThe council conferred. The baker asked whether she had ever considered ovens.',
  },
  {
    by: 8,
    daysAgo: 4,
    content:
      'A habit I can recommend: before sleep I write down one thing I got wrong that day and one thing I would do again. After a year the two columns are the same length. I do not know why that should be a comfort, but I sleep.',
  },
  {
    by: 7,
    daysAgo: 5,
    content:
      'My phone drowned in the lake in July and I have not replaced it. What I notice: buses are later when nobody tells you. People describe things. A friend walked forty minutes to say she would not be able to come, and then, since she was there, stayed for dinner.',
  },
  {
    by: 10,
    daysAgo: 5,
    content:
      'Ode to the ceiling fan\n\nO slow flower of the afternoon,\nwho taught me that a circle is a way of staying;\nwho turned the pages of my homework back\nto where I had been happier;\nwho hummed, on the night of the long power cut,\nby not humming, so that the whole street woke\nand stood on its balconies, and met.',
  },
  {
    by: 9,
    daysAgo: 6,
    content:
      'In the album there is a wedding photograph with a hole in it, the size of a head. For thirty years we children invented the crime. At the last reunion somebody finally asked. “Ah,” said my great-aunt. “That was me. I had blinked.”',
  },
  {
    by: 0,
    daysAgo: 7,
    content:
      'Three o’clock\n\nThe house is reading itself.\nA stair turns a page.\nThe refrigerator clears its throat\nand thinks better of it.\nI came down for water. I stay\nfor the company of things\nthat do not need me to say anything.',
  },
  {
    by: 3,
    daysAgo: 7,
    content:
      'Sailed from Öregrund at five with a thermos and a chart older than I am. Fog until nine. Then an island where there is no island: two pines, a red hut, washing on a line. A man waved both arms. I waved. Only in harbour did I learn that he had been telling me about the rocks.',
  },
  {
    by: 11,
    daysAgo: 8,
    content:
      'I taught my grandfather to use a password manager. He was quiet for a while. Then he said that in the war his whole street had shared one password, it was “whose bread is this”, and the answer was “yours”.',
  },
  {
    by: 2,
    daysAgo: 9,
    content:
      'The witch of Ajegunle does not do love. It says so on the door, under the price list. She does exams, landlords, generators and visas. But on Fridays after closing she sits outside with her feet in a basin, and if you happen to walk by slowly enough, looking at nobody, she will say, to the basin: “Call her. It is only pride. I have seen what pride turns into, and I do not have a jar that size.”',
  },
  {
    by: 4,
    daysAgo: 10,
    content:
      'Hiking the Kumano road in the rain I passed a tea house with no one in it: a pot, six cups, a tin for coins, and a notebook. Each traveller had written where they were going. The newest line said “back”. I drank two cups to it.',
  },
  {
    by: 5,
    daysAgo: 10,
    content:
      'Rhyme is how the language remembers that it was once one thing. I tell my students this and they nod, and then Dariush, who is eight, says: so when two words rhyme they are cousins? And we spend the hour looking for the grandmother.',
  },
  {
    by: 6,
    daysAgo: 12,
    content:
      'I have baked the same bread every Saturday for six years. It has never come out the same. For a long time I took this personally. Then the neighbour’s girl, who is blind, told me she can tell from the smell on the stairs what sort of week I had.',
  },
  {
    by: 8,
    daysAgo: 12,
    content:
      'Memory of a field\n\nThe hay was taller than my whole opinion.\nMy brother, ahead of me, was a sound.\nSomebody called us, and it was our names,\nand we lay down in them, and were not found.',
  },
  {
    by: 9,
    daysAgo: 13,
    content:
      'The border guard looked at my passport, then at me, then at the guitar. “Play,” he said. I played the only thing my hands would agree to, a lullaby. The whole bus got down to listen, then the soldiers, then the dog. He stamped me through without a word. Two years later a letter came: he had a daughter now, and did I remember how the second part went.',
  },
  {
    by: 10,
    daysAgo: 14,
    content:
      'The monsoon app on my phone says “moderate”. The buffalo have already left the lower field. My aunt has turned the pickles. I trust the sources in this order: aunt, buffalo, ants, app.',
  },
  {
    by: 0,
    daysAgo: 14,
    content:
      'Advice from a piano tuner\n\n“It is never one string. People point at one key and say: there. But a piano is an argument that has been settled, and damp gets in, and somebody wants to settle it again.” He struck the A. He waited. “You must give it something to agree with,” he said.',
  },
  {
    by: 11,
    daysAgo: 16,
    content:
      'The hero of this story is late. The villain has swept the tower, fed the raven, moved the poison to a nicer glass. He practises turning round. At midnight he eats the olives. At two he looks down the road, and there she is, asleep against the milestone with her boots off, and he finds himself going down four hundred stairs with a blanket.',
  },
  {
    by: 7,
    daysAgo: 16,
    content:
      'Every November the women of our family meet in one kitchen to make the plum jam that nobody likes. It is too sour. It was too sour in 1950. But there are eleven of us around the pot, and the argument about the sugar is the oldest thing we own.',
  },
  {
    by: 1,
    daysAgo: 18,
    content:
      'Villanelle of the repaired clock\n\nIt keeps the hour, but not the one we meant.\nMy father set it going with his thumb.\nI cannot say exactly where time went.\n\nHe oiled the wheel, he straightened what was bent,\nhe held it to my ear: I heard it hum.\nIt keeps the hour, but not the one we meant.\n\nThe guests came in, the snow came in, the rent;\nthe cuckoo, three days late, was stricken dumb.\nI cannot say exactly where time went.\n\nI wind it now. I know by what he lent\nme, not by dials, what I shall become.\nIt keeps the hour, but not the one we meant.\nI cannot say exactly where time went.',
  },
  {
    by: 3,
    daysAgo: 19,
    content:
      'Our code review rule at the observatory: whoever finds the error brings the cake. In spring a summer student found one that had been tilting Saturn by half a degree since 1998. We are still eating.',
  },
  {
    by: 4,
    daysAgo: 19,
    content:
      'A walk I take when a sentence will not come: past the tofu shop, over the canal, twice around the shrine where the cats hold office. I never think about the sentence. It follows at a distance, like a shy child, and by the second bridge it has taken my hand.',
  },
  {
    by: 2,
    daysAgo: 21,
    content:
      'I remember exactly one lesson from primary school. Mrs Eze lit a candle in the dark storeroom and asked us what colour the flame was. We shouted: orange, yellow, red! She waited until there was nothing left to shout, and then a small voice said: blue, at the bottom. “Now,” she said, “you are writing.”',
  },
  {
    by: 5,
    daysAgo: 23,
    content:
      'The carpet seller in Shiraz would tell you the story of any carpet, but only backwards: first the house it left, then the journey, then the loom, then the girl who tied the last knot. “And before that?” I asked. He turned up the corner. “Before that,” he said, “rain.”',
  },
  {
    by: 8,
    daysAgo: 24,
    content:
      'Small poem for a large cat\n\nYou are not on the letter.\nThe letter is under you:\na different arrangement, and yours.\nI shall answer it on Thursday.',
  },
  {
    by: 9,
    daysAgo: 24,
    content:
      'The day the whole city lost its network, the baker wrote debts on the wall again. By evening the wall was full of names, his whole street, in chalk. The lights came back. He has not wiped it. He says it is the best screen he has ever had: everyone can read it, and nobody is behind it.',
  },
  {
    by: 6,
    daysAgo: 26,
    content:
      'Lisbon to Porto by the slow train, third carriage, left side. You get the river twice and the ocean once. Bring an orange. Peel it after Aveiro, when the carriage has been quiet long enough, and see who looks up. That is who you should talk to.',
  },
  {
    by: 10,
    daysAgo: 28,
    content:
      'I keep a diary of other people’s laughter. My uncle: a door, then the whole house. The neighbour: a spoon in a glass. My daughter, four weeks old, last night at 2:40, asleep: something being unwrapped.',
  },
  {
    by: 11,
    daysAgo: 29,
    content:
      'Low tide\n\nThe sea has put its furniture outside.\nA chair of weed, a lamp that was a shell,\nthe long table of the sandbank, laid for birds.\nCome early. By six it is all carried in again\nand the blue door shut.',
  },
]

export interface DemoPost {
  /** Of a picture in `pictures/`. */
  scene: string;
  kind: 'post' | 'reel' | 'carousel';
  likes: number;
  caption: string;
}

/** Newest first, as the creator's grid shows them. */
export const demoPosts: readonly DemoPost[] = [
  {
    scene: 'spaghetti-pomodoro',
    kind: 'reel',
    likes: 1284,
    caption: `The 15-minute pomodoro I make when there is "nothing in the house" 🍝🍅

One tin of good tomatoes, four cloves of garlic, more olive oil than feels polite. The trick is in the last minute: pasta water, lid on, shake.

👉 Comment PASTA and I'll send you the recipe.

#weeknightdinner #pomodoro #pastanight #15minutemeals`,
  },
  {
    scene: 'berry-cake',
    kind: 'post',
    likes: 2071,
    caption: `Birthday cake for people who do not like birthday cake 🍓🫐

Two layers of buttermilk sponge, whipped mascarpone, whatever berries looked happiest at the market. Tag the one who always asks for "just a small slice".

Comment CAKE for the full recipe with gram measurements ✨ #birthdaycake #berrycake`,
  },
  {
    scene: 'miso-ramen',
    kind: 'reel',
    likes: 3410,
    caption: `Cold hands, hot bowl. My shortcut miso ramen: ready in 25 minutes and yes, the broth is from scratch 🍜

Save this for the first rainy evening. RECIPE in the comments = link in your DMs.`,
  },
  {
    scene: 'shakshuka',
    kind: 'carousel',
    likes: 968,
    caption: `Sunday rule: nobody talks about Monday until the pan is empty.

Shakshuka, swipe for the three mistakes everyone makes with the eggs ➡️ (mine was number two. For years.)

Comment EGGS and I send you the step-by-step 🥚`,
  },
  {
    scene: 'chocolate-chip-cookies',
    kind: 'reel',
    likes: 8842,
    caption: `I tested 14 versions. These are THE cookies 🍪

Crisp edge, soft middle, salt on top. Brown the butter. Rest the dough. Please rest the dough.

Comment COOKIE and the recipe is in your inbox in a second 💌

#browniebutter #chocolatechipcookies #cookierecipe #bakingreels`,
  },
  {
    scene: 'greek-salad',
    kind: 'post',
    likes: 611,
    caption: `No lettuce in a Greek salad, they said. I said: it's 34 degrees and I have lettuce. 🥒🍅🫒 Fight me kindly below.`,
  },
  {
    scene: 'butter-chicken',
    kind: 'reel',
    likes: 4127,
    caption: `Butter chicken, but on a Tuesday 🧡

Marinate in the morning (2 minutes), cook at night (20). My husband now thinks I have a secret second kitchen.

🔗 Type CURRY below and I'll DM you the recipe and my spice list.

#butterchicken #tuesdaydinner #onepan #currynight`,
  },
  {
    scene: 'focaccia',
    kind: 'carousel',
    likes: 2356,
    caption: `FOCACCIA, THE LONG STORY

I promised to write it all down once, so here it is. Get a coffee.

Day one, evening. 500 g of strong flour, 400 g of water that feels like nothing on your wrist, 10 g of salt, 3 g of dried yeast. That is all. Stir with a spoon until no flour is left. It will look like a mistake. It is not a mistake. Cover it and go and do something nicer than kneading: nobody kneads here.

After half an hour wet your hand, take one side of the dough, pull it up until it complains, and fold it over. Turn the bowl, four times round. Do that again after another half hour. See how it suddenly looks like dough? That is time doing your work. Into the fridge, at least twelve hours, at most two days.

Day two. Oil a tray as if somebody else were paying for the oil. Let the dough slide in by itself, do not punch it, you have waited a whole day for those bubbles. Two hours in a warm corner. When it wobbles like a waterbed, more oil on top, and then the best part: all ten fingers, straight down to the tray, like a very slow piano.

Tomatoes, olives, red onion, rosemary if your neighbour has a bush. Flaky salt. 230 degrees, 22 minutes, low in the oven. The smell will bring people into the kitchen who claim they were just passing.

Out of the tray at once or the bottom goes soft. Wait ten minutes. (You will not wait ten minutes.)

Questions I always get: yes, wholemeal works, take 30 g more water. Yes, you can freeze it. No, butter is not the same. Yes, you can halve everything, but why would you.

Comment FOCACCIA and I'll send the printable card with all times on one page, so that you don't have to scroll through my feelings again 🌿🍞

#focaccia #nokneadbread #breadtok #slowfood #weekendbaking`,
  },
  {
    scene: 'mango-bowl',
    kind: 'post',
    likes: 702,
    caption: `breakfast that thinks it's on holiday 🥭🌴 frozen mango + yoghurt + lime. that's it, that's the post`,
  },
  {
    scene: 'chicken-tacos',
    kind: 'reel',
    likes: 5230,
    caption: `Taco Tuesday, but make it 20 minutes 🌮

Which one first: left, right or the one at the bottom? Tell me below, and write TACO if you want the recipe.`,
  },
  {
    scene: 'lemon-tart',
    kind: 'post',
    likes: 1866,
    caption: `When life gives you lemons, check whether you also have six eggs. 🍋

Comment LEMON for the recipe (blind baking without tears included).`,
  },
  {
    scene: 'rainbow-tray',
    kind: 'reel',
    likes: 1120,
    caption: `One tray. Eat the rainbow. Wash nothing. 🌈

The order in which things go into the oven is the whole secret: roots first, broccoli last. Comment TRAY and I send you my timing chart.`,
  },
  {
    scene: 'sourdough',
    kind: 'carousel',
    likes: 2940,
    caption: `Loaf number 212. Named him Bernd.

Bernd is 78 % hydration, 20 % rye and 100 % stubborn. Swipe to see the crumb 👀 BREAD below gets you the schedule that fits a nine-to-five.`,
  },
  {
    scene: 'paella',
    kind: 'reel',
    likes: 2208,
    caption: `Paella de domingo, como la hace mi suegra 🥘❤️

El secreto está en el sofrito y en NO remover. Escribe PAELLA en los comentarios y te mando la receta por mensaje.

#paella #recetafacil #cocinaespañola #domingo`,
  },
  {
    scene: 'berry-pancakes',
    kind: 'post',
    likes: 1543,
    caption: `Saturday, 10:40, still in pyjamas, on purpose 🥞 Comment PANCAKES and I'll send you the batter ratio I know by heart.`,
  },
  {
    scene: 'pumpkin-soup',
    kind: 'reel',
    likes: 1987,
    caption: `Kürbissuppe, die auch Kürbishasser essen 🎃

Erst rösten, dann kochen. Den Unterschied schmeckt man sofort. Schreib SUPPE in die Kommentare, dann schicke ich dir das Rezept.

#kürbissuppe #herbstküche #suppenliebe #meinrezept`,
  },
  {
    scene: 'steamed-dumplings',
    kind: 'carousel',
    likes: 1675,
    caption: `I asked my neighbour Mei to teach me. She laughed for about ten minutes, then she taught me 🥟

Eighteen pleats is the goal. I am at eleven. Swipe for hers, then for mine, and be kind.

DUMPLING = recipe + her dipping sauce.`,
  },
  {
    scene: 'brownies',
    kind: 'reel',
    likes: 6714,
    caption: `The corner piece debate ends here: every piece is a corner piece if you cut it small enough 🍫

Comment BROWNIE for the recipe ⬇️`,
  },
  {
    scene: 'fig-salad',
    kind: 'post',
    likes: 834,
    caption: `Fig season is eleven minutes long. This is what I do with minute one. Rocket, walnuts, feta, a dressing made in the empty honey jar 🍯`,
  },
  {
    scene: 'green-curry',
    kind: 'reel',
    likes: 1422,
    caption: `Green curry from a paste that keeps for three weeks in the fridge. Make once, be grateful seven times 💚

Type GREEN and I'll send you the paste.`,
  },
  {
    scene: 'pizza-margherita',
    kind: 'reel',
    likes: 7308,
    caption: `Margherita in a home oven that has one job and does it badly 🍕

Steel on the top rack, grill on, 90 seconds of courage. Comment PIZZA for dough by weight (for 1, 2, 4 or 8 people).

#homemadepizza #margherita #pizzanight #homeoven`,
  },
  {
    scene: 'overnight-oats',
    kind: 'post',
    likes: 455,
    caption: `Me at 22:00: I am so organised.
Me at 07:00: who is this angel that made me breakfast. 🌙➡️☀️

Comment OATS for the base and five toppings.`,
  },
  {
    scene: 'cinnamon-rolls',
    kind: 'reel',
    likes: 9120,
    caption: `The whole stairwell smells of cinnamon and three neighbours have "just come to borrow salt" 🧂🌀

ROLLS in the comments and the recipe comes to you. Overnight version included.`,
  },
  {
    scene: 'red-lentil-soup',
    kind: 'post',
    likes: 690,
    caption: `شوربة عدس مثل ما تعملها جدتي 🍋 بسيطة ودافئة.

My friend Layla's grandmother's lentil soup. I only got the recipe after promising to say where it is from: "الطعام الطيب يُحكى عنه". Comment SOUP and I pass it on.`,
  },
  {
    scene: 'donuts',
    kind: 'carousel',
    likes: 3301,
    caption: `Six flavours, one dough, zero regrets 🍩 Swipe and vote: 1 raspberry, 2 chocolate, 3 vanilla, 4 pistachio, 5 blueberry, 6 maple. Recipe? You know the word: DONUT.`,
  },
  {
    scene: 'avocado-toast',
    kind: 'post',
    likes: 512,
    caption: `Yes, I could have bought a house. I bought radishes. 🥑`,
  },
  {
    scene: 'chickpea-curry',
    kind: 'reel',
    likes: 2765,
    caption: `Dinner for four for under 5 €. Chickpeas, one tin of tomatoes, spinach that needs using up. Pantry hero 🦸

💬 Comment BUDGET and I'll send the recipe plus my list of ten dinners under 5 €.`,
  },
  {
    scene: 'hummus-plate',
    kind: 'post',
    likes: 1033,
    caption: `״מי שמנגב, לא ממהר״

"Whoever is wiping hummus is in no hurry", says the man at the market. Ice-cold water, warm chickpeas, five full minutes in the blender. Comment HUMMUS for amounts.`,
  },
  {
    scene: 'fruit-tart',
    kind: 'post',
    likes: 1790,
    caption: `Arranging fruit is cheaper than therapy and you can eat it afterwards 🍓🫐 Comment TART for pastry cream that never goes lumpy.`,
  },
  {
    scene: 'pesto-linguine',
    kind: 'reel',
    likes: 1611,
    caption: `Pesto in a mortar takes four minutes longer and tastes four years better. Who has the patience? 🌿 (I timed it. See reel.)

Comment PESTO for ratios.`,
  },
  {
    scene: 'maki-board',
    kind: 'carousel',
    likes: 1244,
    caption: `Sushi night at home: 12 rolls, one sharp knife, one person who eats all the salmon ones (Tom, it is you) 🍣`,
  },
  {
    scene: 'hibiscus-cooler',
    kind: 'post',
    likes: 803,
    caption: `Hibiscus + orange + too much ice. Alcohol-free, colour-full. Comment COOLER if you want the ratio for a whole jug 🌺🧊`,
  },
  {
    scene: 'roast-pumpkin',
    kind: 'post',
    likes: 648,
    caption: `Roast pumpkin with sage, potatoes, sprouts. My child called it "orange chips" and ate three portions, so this is now officially orange chips 🎃`,
  },
  {
    scene: 'apple-pie',
    kind: 'reel',
    likes: 4456,
    caption: `Grandma's apple pie. She never measured anything, so I weighed her hands 🍎👵

(I really did. A handful is 38 g.) Comment PIE and I'll send it to you, in grams and in handfuls.`,
  },
  {
    scene: 'carbonara',
    kind: 'reel',
    likes: 3987,
    caption: `No cream. NO. CREAM. 🥓🥚 Comment CARBONARA if you agree, and you also get the recipe.`,
  },
  {
    scene: 'acai-bowl',
    kind: 'post',
    likes: 587,
    caption: `stripes 💜 so satisfying that I let the rest melt while taking the photo. smoothie soup it is`,
  },
  {
    scene: 'peach-tart',
    kind: 'post',
    likes: 1390,
    caption: `Tarte aux pêches for the last warm evening. 40 slices, placed one by one, eaten in six minutes. Comment PEACH for the recipe 🍑`,
  },
  {
    scene: 'tomato-soup',
    kind: 'reel',
    likes: 1205,
    caption: `Roasted tomato soup with the crunchiest croutons. ASMR on 🔊 SOUP below and it's yours.`,
  },
  {
    scene: 'iced-coffee',
    kind: 'post',
    likes: 434,
    caption: `Three iced coffees. They are all for me. It's that kind of week ☕️🧊 Wie trinkt ihr euren?`,
  },
  {
    scene: 'citrus-salad',
    kind: 'post',
    likes: 721,
    caption: `January on a plate: blood oranges, radicchio, pistachios. Bitter, sweet, awake 🍊 Comment CITRUS for the dressing.`,
  },
  {
    scene: 'carrot-cake',
    kind: 'post',
    likes: 2644,
    caption: `My very first recipe here was a carrot cake, photographed on my ironing board. Here is the same cake, with a table. Thank you for staying 🧡🥕

Comment CARROT and I'll send you both photos. And the recipe.`,
  },
];

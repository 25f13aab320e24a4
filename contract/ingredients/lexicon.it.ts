/** Italian. */
import { FOODS } from './foods.it.ts';
import { compileLexicon, inflected } from './lexicon.ts';
import { singularOfItalian } from './words.ts';

const ENDINGS = 'o a i e';
const PARTICIPLES = inflected(
  'tritat, tagliat, affettat, grattugiat, sbucciat, pelat, lavat, scolat, sgocciolat, sbattut, fus, sciolt, setacciat, cott, bollit, lessat, tostat, macinat, schiacciat, pestat, spremut, snocciolat, denocciolat, sbriciolat, spezzettat, spezzat, dissalat, ammollat, ammorbidit, scongelat, montat, separat, filtrat, pulit, puliti, mondat, sminuzzat, cubettat, strizzat, strizzati, privat, divis, frullat, arrostit, grigliat, soffritt, sgusciat, eviscerat, squamat, sfilacciat, ridott, infarinat, appena macinat, macinat al momento, finemente tritat, appena grattugiat, grattugiat fine, appena spremut, sfogliat, asciugat, intiepidit, raffreddat, riscaldat, spellat, disossat, decorticat, passat, spuntat, sbollentat, idratat, reidratat, rosolat',
  ENDINGS,
);

export const ITALIAN = compileLexicon({
  ...{ singular: singularOfItalian, hasDecimalComma: true },
  elided: "d', l', dell', all', un', dall', nell', sull', mezz'",
  numbers: {
    '1': 'uno',
    '2': 'due, un paio di, paio di',
    '3': 'tre',
    '4': 'quattro',
    '5': 'cinque',
    '6': 'sei, mezza dozzina di',
    '7': 'sette',
    '8': 'otto',
    '9': 'nove',
    '10': 'dieci, una decina di',
    '12': 'dodici, una dozzina di',
    '15': 'quindici',
    '20': 'venti, una ventina di',
    '1/2': "mezzo, mezza, mezz', metà di, la metà di, metà",
    '1/3': 'un terzo di, un terzo',
    '2/3': 'due terzi di, due terzi',
    '1/4': 'un quarto di, un quarto',
    '3/4': 'tre quarti di, tre quarti',
    '3/2': 'uno e mezzo, una e mezza, uno e mezza',
  },
  articles: "un, una, un'",
  vagueAmounts:
    "un po di, un po d', un po, un poco di, qualche, alcuni, alcune, abbondante, abbondanti, poco, poca, molto, tanto, tanta, qb di, q b di, quanto basta di, una spolverata di, una punta di, un velo di, parecchi, parecchie, un tocco di, un giro di, un giro d', dell', del, della, dei, delle, degli",
  to: 'a, o, fino a, -',
  between: 'tra, fra, da, dai',
  or: 'o, oppure, e/o, od',
  and: 'e, ed, &',
  of: "di, d', del, della, dei, delle, degli, dell', da, dello",
  plus: 'più, e, +',
  minus: 'meno',
  times: 'x, ×, *, per',
  each: "ciascuno, ciascuna, cad, cad., cadauno, cadauna, ognuno, ognuna, l'uno, l'una",
  lengths: 'cm, mm, centimetri, centimetro',
  units: {
    teaspoon:
      'cucchiaino, cucchiaini, cucchiaino da caffè, cucchiaini da caffè, cucchiaino da tè, cucchiaini da tè, cucch.no, cc, tsp',
    tablespoon:
      'cucchiaio, cucchiai, cucchiaio da minestra, cucchiai da minestra, cucchiaiata, cucchiaiate, cucch, tbsp, cucchiaio da tavola',
    cup: 'tazza, tazze, cup, cups',
    glass: 'bicchiere, bicchieri, bicchierino, bicchierini, tazzina, tazzine, calice',
    gram: 'g, gr, grammi, grammo, grs',
    milligram: 'mg',
    kilogram: 'kg, kilo, kili, chilo, chili, chilogrammi, chilogrammo, kilogrammo',
    ounce: 'oncia, once, oz',
    pound: 'libbra, libbre',
    milliliter: 'ml, millilitri, millilitro',
    centiliter: 'cl, centilitri',
    deciliter: 'dl, decilitri, decilitro',
    liter: 'l, lt, litro, litri',
    pinch: 'pizzico, pizzichi, presa, prese, pizzichino',
    handful: 'manciata, manciate, pugno, pugni, pugnetto',
    drop: 'goccia, gocce, goccio, goccino',
    knob: 'noce, noci, nocciolina, fiocco, fiocchi, fiocchetto',
    drizzle: 'filo, filino',
    splash: 'spruzzo, spruzzata, spruzzi, schizzo',
    can: 'scatola, scatole, lattina, lattine, barattolo di latta, scatoletta, scatolette, latta',
    jar: 'vasetto, vasetti, barattolo, barattoli, vaso',
    bottle: 'bottiglia, bottiglie',
    carton: 'brick, cartone, brik',
    package: 'confezione, confezioni, pacchetto, pacchetti, pacco, pacchi, conf',
    sachet: 'bustina, bustine, busta, buste',
    bag: 'sacchetto, sacchetti',
    tray: 'vaschetta, vaschette, vassoio',
    tube: 'tubetto, tubetti',
    bar: 'tavoletta, tavolette, barretta, barrette',
    block: 'panetto, panetti, blocco',
    roll: 'rotolo, rotoli, tronchetto',
    sheet: 'foglio di pasta, sfoglia, sfoglie',
    ball: 'palla, palline',
    cube: 'cubetto, cubetti, dado, dadi, cubo, cubi',
    clove: 'spicchio, spicchi',
    head: 'testa, teste, cespo, cespi',
    bunch: 'mazzetto, mazzetti, mazzo, mazzi, ciuffo, ciuffi, ciuffetto',
    sprig: 'rametto, rametti, ramo, rami',
    stalk: 'gambo, gambi, costa, coste, stecca, stecche',
    leaf: 'foglia, foglie, foglioline, fogliolina, fogli',
    slice: 'fetta, fette, fettina, fettine, rondella, rondelle',
    piece: 'pezzo, pezzi, pezzetto, pezzetti, tocco, pz',
    fillet: 'filetto, filetti, trancio, tranci',
    strip: 'striscia, strisce, listarella, listarelle',
  },
  qualifiers:
    'circa, ca, ca., indicativamente, all incirca, quasi, appena, scarso, scarsi, scarsa, scarse, colmo, colmi, colma, colme, raso, rasi, rasa, rase, abbondante, abbondanti, buono, buona, bel, bella, bello, almeno, massimo, minimo, al massimo, ~, ≈, in tutto, in totale, più o meno, altro, altra, altri, altre, pieno, pieni, piena, piene, peso netto, peso sgocciolato, sgocciolati, netti, netto, generoso, generosa, generosi, grosso, grossa, di peso',
  sizes:
    'grande, grandi, medio, media, medi, medie, piccolo, piccola, piccoli, piccole, grosso, grossa, grossi, grosse, grandicello, piccolino, di medie dimensioni, di media grandezza, di grandezza media, medio-grande, medio-piccolo, spesso, spessa, spesse, sottile, sottili, lungo, lunga, bello, bella, belle, bei, taglia m, taglia l, fine',
  foodSizes:
    'grande, grandi, medio, media, medi, medie, piccolo, piccola, piccoli, piccole, grosso, grossa, grossi, grosse, di medie dimensioni, di media grandezza, di grandezza media, medio-grande, medio-piccolo',
  heaped: 'colmo, colmi, colma, colme',
  scant: 'scarso, scarsi, scarsa, scarse, raso, rasi, rasa, rase',
  states: `${inflected('fresc, freddo di frig, matur, ben matur, molto matur, fredd, molto fredd, cald, tiepid, biologic, non trattat, surgelat, congelat, crud, rafferm, ner, tener, morbid, mol, croccant, ben fredd, sod, inter, intero, bianch e sod', ENDINGS)}, freschi, fresche, biologici, biologiche, bio, bollente, bollenti, a temperatura ambiente, di frigo, di stagione, di qualità, di buona qualità, fatto in casa, fatta in casa, a pomata, del giorno prima, ghiacciata, ghiacciato, da agricoltura biologica, morbido, freddissima`,
  preparations: `${PARTICIPLES}, pulito, pulita, pulite, a cubetti, a dadini, a fette, a fettine, a fette sottili, a pezzi, a pezzetti, a pezzettini, a tocchetti, a rondelle, a listarelle, a julienne, a spicchi, a strisce, a striscioline, a metà, a quarti, a lamelle, a scaglie, a neve, a neve ferma, a fiocchi, a filetti, a dadi, in scaglie, in pezzi, in quarti, in due, in quattro, senza pelle, senza spine, senza semi, senza nocciolo, senza crosta, senza buccia, senza osso, in purezza, in polvere fine, a crudo`,
  adverbs:
    'finemente, grossolanamente, molto, ben, bene, leggermente, appena, non, sottilmente, già, al momento, poco, precedentemente',
  describing:
    'grande, piccolo, fresco, fresca, dolce, piccante, bianco, bianca, rosso, rossa, rossi, rosse, verde, verdi, giallo, gialla, gialli, nero, nera, nere, integrale, magro, magra, parzialmente, scremato, intero, intera, extravergine, extra, vergine, secco, secca, secchi, secche, affumicato, affumicata, cotto, crudo, stagionato, vegetale, vegano, bio, light, forte, delicato, denocciolate, sgusciate, pelate, tritate, macinato, macinata, in polvere, liquida, fondente, al latte, maturo, greco, naturale, tipo',
  ends: 'per, per il, per la, qb, q b, a piacere, a gusto, facoltativo, facoltativa, facoltativi, facoltative, opzionale, opzionali, se, senza, con, in, che, come, tipo, ad esempio, es, preferibilmente, meglio, a temperatura, a temperatura ambiente, tagliato, tagliata, tagliati, tagliate, tritato, tritata, tritati, tritate, grattugiato, grattugiata, sbucciato, sbucciata, sbucciate, pelato, circa, più, e un po, secondo, ben, già, molto, finemente, fuso, morbido, ammorbidito, snocciolate, denocciolate, a fette, a cubetti, a dadini, a pezzi, a pezzetti, a rondelle, a listarelle, a julienne, a spicchi, sgocciolato, sgocciolati, quanto basta, di contorno, appena, lavato, lavata, lavati, lavate, sciolto, sciolta, leggermente, precedentemente, da servire, oppure a',
  optional:
    'facoltativo, facoltativa, facoltativi, facoltative, opzionale, opzionali, se piace, se vi piace, se gradito, se volete, se vuoi, a piacere e facoltativo, se ti piace, eventualmente',
  toTaste: 'qb, q b, quanto basta, a piacere, a gusto, secondo i gusti, a vostro gusto, secondo gusto, a volontà, q.b',
  divided: 'diviso, divisa, divisi, divise',
  more: 'più un po, e un po, più altro, un po di più, più extra, più quello per',
  parts:
    'succo, il succo, scorza, la scorza, scorza grattugiata, la scorza grattugiata, buccia, la buccia, succo e scorza, scorza e succo, il succo e la scorza, la scorza e il succo, buccia grattugiata, la buccia grattugiata, polpa, la polpa, semi, i semi, zeste, scorzetta, scorzette',
  partOf: "di, d', del, della",
  headings:
    "per la, per il, per le, per i, per lo, per l', per gli, per, ingredienti, ripieno, il ripieno, impasto, l' impasto, salsa, condimento, farcitura, glassa, crema, la crema, decorazione, guarnizione, frolla, pasta frolla, base, la base, marinatura, besciamella, sugo, il sugo, copertura, sciroppo, finitura, bagna, pan di spagna, soffritto, inoltre, lievitino, biga, poolish, emulsione, vinaigrette, contorno, panatura",
  for: "per la, per il, per le, per i, per lo, per l', per gli, per",
  notes:
    'nota, note, vedi, preparazione, procedimento, istruzioni, passaggi, consiglio, consigli, trucco, preriscaldare, preriscalda, accendi, mescolare, mescola, infornare, cuocere, aggiungere, tempo, tempi, porzioni, dosi, dosi per, calorie, seguimi, commenta, salva, condividi, ricetta, link, strumenti, utensili, uno stampo, stampo, teglia, servire, lasciare, buon appetito, difficoltà, cottura, riposo, tutto, vi lascio, ti lascio',
  other: 'un altro, un altra, altro, altra, qualsiasi, qualsiasi altro, anche, il tuo, simile',
  insteadUse:
    'in alternativa, in sostituzione, sostituibile con, o in alternativa, si può usare, puoi usare, va bene anche, potete usare, sostituite con',
  worksToo: 'anche, va, vanno, bene',
  packedPrepared: inflected('tritat, grattugiat, pelat, macinat, tagliat, affettat', ENDINGS),
  soldPrepared:
    'pan grattato, pangrattato, carne macinata, carne tritata, pomodori pelati, parmigiano grattugiato, cocco grattugiato, macinato misto',
  brands:
    'philadelphia, nutella, oreo, maizena, knorr, tabasco, heinz, barilla, mulino bianco, galbani, santa lucia, pan di stelle, ringo, kinder, pavesini, mutti, kikkoman, paneangeli, bertolini, lotus, rio mare, star, de cecco',
  foods: FOODS,
  pantry: 'acqua, sale, sale fino, sale grosso, pepe, pepe nero, sale e pepe',
  sameFoods:
    'olio extravergine di oliva/olio extravergine d oliva/olio evo/evo/olio extravergine/olio extra vergine di oliva/olio extra vergine d oliva, olio di oliva/olio d oliva, carne macinata/carne tritata/macinato/carne trita, pangrattato/pan grattato, lievito per dolci/lievito in polvere/lievito chimico/lievito vanigliato/lievito istantaneo, amido di mais/maizena/fecola di mais, zucchero a velo/zucchero velo, peperoncino/peperoncino piccante, parmigiano/parmigiano reggiano, panna fresca/panna fresca liquida/panna liquida fresca, panna da montare/panna liquida da montare, cipollotto/cipolla novella, fagiolino/cornetto, ceci/cece, gambero/gamberetto',
});

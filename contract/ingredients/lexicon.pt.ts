/** Portuguese, of Portugal and of Brazil. */
import { FOODS } from './foods.pt.ts';
import { compileLexicon, inflected } from './lexicon.ts';
import { singularOfPortuguese } from './words.ts';

const ENDINGS = 'o a os as';
const PARTICIPLES = inflected(
  'picad, cortad, ralad, descascad, lavad, limp, escorrid, batid, derretid, peneirad, cozid, assad, torrad, tostad, triturad, amassad, esmagad, moíd, desfiad, desossad, espremid, coad, demolhad, descongelad, fatiad, laminad, temperad, hidratad, separad, dividid, partid, misturad, dissolvid, frit, grelhad, refogad, dourad, sovad, aquecid, amolecid, tirad, retirad, lascad, quebrad, esfarelad, esmigalhad, fervid, cru, escaldad, dessalgad, bem picad, bem batid, bem escorrid, finamente picad, finamente cortad, grosseiramente picad, recém moíd, moíd na hora, passad, processad, filetad, salgad, aparad, sem semente, despinhad, polvilhad, enxaguad, secad',
  ENDINGS,
);

export const PORTUGUESE = compileLexicon({
  ...{ singular: singularOfPortuguese, hasDecimalComma: true, elided: "d', l'" },
  numbers: {
    '2': 'dois, duas, um par de',
    '3': 'três',
    '4': 'quatro',
    '5': 'cinco',
    '6': 'seis, meia dúzia de, meia dúzia',
    '7': 'sete',
    '8': 'oito',
    '9': 'nove',
    '10': 'dez, uma dezena de',
    '12': 'doze, uma dúzia de, uma dúzia, dúzia de',
    '15': 'quinze',
    '20': 'vinte',
    '1/2': 'meio, meia, metade de, metade de um, metade de uma, a metade de',
    '1/3': 'um terço de, um terço',
    '2/3': 'dois terços de, dois terços',
    '1/4': 'um quarto de, um quarto',
    '3/4': 'três quartos de, três quartos',
    '3/2': 'um e meio, uma e meia',
  },
  dozens: 'dúzias, dúzias de',
  articles: 'um, uma, uns, umas',
  vagueAmounts:
    'um pouco de, um pouco, um pouquinho de, algumas, alguns, uns, umas, bastante, suficiente, o suficiente de, quanto baste de, q b de, qb de, vários, várias, muito, muita, um toque de, o quanto baste de, q.b.',
  to: 'a, ou, até, -',
  between: 'entre, de',
  or: 'ou, e/ou',
  and: 'e, &',
  of: "de, do, da, dos, das, d'",
  plus: 'mais, e, +',
  minus: 'menos',
  times: 'x, ×, *',
  each: 'cada, cada um, cada uma, a unidade, por unidade',
  lengths: 'cm, mm, centímetros, centímetro',
  units: {
    teaspoon:
      'colher de chá, colheres de chá, colher chá, colheres chá, c. de chá, c de chá, c. chá, c chá, col. de chá, col de chá, col. chá, col chá, colherinha, colherinhas, colherzinha, colher de café, colheres de café, c. de café, colher café, colheres café, tsp',
    tablespoon:
      'colher de sopa, colheres de sopa, colher sopa, colheres sopa, c. de sopa, c de sopa, c. sopa, c sopa, col. de sopa, col de sopa, col. sopa, col sopa, colher, colheres, colherada, colheradas, cs, tbsp',
    dessertspoon: 'colher de sobremesa, colheres de sobremesa, colher sobremesa, colheres sobremesa, c. de sobremesa',
    cup: 'xícara, xícaras, xícara de chá, xícaras de chá, xícara chá, xícaras chá, xíc, chávena, chávenas, chávena de chá, cup',
    glass: 'copo, copos, cálice, cálices, copo americano, copos americanos, taça',
    gram: 'g, gr, grs, grama, gramas',
    milligram: 'mg',
    kilogram: 'kg, kgs, quilo, quilos, kilo, kilos, quilograma, quilogramas',
    ounce: 'onça, onças, oz',
    pound: 'libra, libras, lb',
    milliliter: 'ml, mililitro, mililitros',
    centiliter: 'cl, centilitro, centilitros',
    deciliter: 'dl, decilitro, decilitros',
    liter: 'l, lt, litro, litros',
    pinch: 'pitada, pitadas, pitadinha',
    handful: 'punhado, punhados, mão-cheia, mão cheia, mancheia',
    drop: 'gota, gotas',
    knob: 'noz, nozes',
    drizzle: 'fio, fiozinho',
    splash: 'golpe, esguicho, borrifo',
    can: 'lata, latas, latinha',
    jar: 'frasco, frascos, pote, potes, vidro, vidros, boião',
    bottle: 'garrafa, garrafas, garrafinha',
    carton: 'caixinha, caixinhas',
    box: 'caixa, caixas',
    package: 'pacote, pacotes, pct, embalagem, embalagens, pacotinho',
    sachet: 'saqueta, saquetas, envelope, envelopes, sachê, sachês, carteirinha',
    bag: 'saco, sacos, saquinho, saquinhos',
    tray: 'bandeja, bandejas, cuvete',
    bar: 'tablete, tabletes, barra, barras',
    block: 'bloco, blocos',
    roll: 'rolo, rolos',
    sheet: 'placa, placas',
    ball: 'bola, bolas',
    cube: 'cubo, cubos, cubinho',
    clove: 'dente, dentes',
    head: 'cabeça, cabeças, pé, pés',
    bunch: 'molho, molhos, maço, maços, ramo, ramos, molhinho, raminho',
    sprig: 'ramos pequenos, ramalhete, galho, galhos, haste, hastes, pé de',
    stalk: 'talo, talos',
    leaf: 'folha, folhas, folhinha, folhinhas',
    slice: 'fatia, fatias, rodela, rodelas',
    piece: 'pedaço, pedaços, unidade, unidades, unid, un, und, uni, bocado, naco',
    wedge: 'gomo, gomos',
    fillet: 'filé, filés, filete, filetes, posta, postas, lombo, lombos',
    strip: 'tira, tiras',
  },
  qualifiers:
    'aproximadamente, cerca de, aprox, aprox., mais ou menos, quase, apenas, cheia, cheias, cheio, cheios, bem cheia, bem cheias, rasa, rasas, raso, rasos, generosa, generosas, generoso, escassa, escasso, pelo menos, no mínimo, no máximo, ~, ≈, no total, ao todo, peso líquido, drenado, drenados, peso escorrido, bom, boa, outro, outra, uns, umas, em média, entre, boas, bons',
  sizes:
    'grande, grandes, médio, média, médios, médias, pequeno, pequena, pequenos, pequenas, enorme, grosso, grossa, grossos, grossas, fino, fina, finos, finas, comprido, tamanho m, tamanho l, classe m, classe l, muito grande, pequenino, graúdo, graúdos, miúdo, miúda, miúdos, miúdas',
  foodSizes:
    'grande, grandes, médio, média, médios, médias, pequeno, pequena, pequenos, pequenas, enorme, tamanho m, tamanho l, classe m, classe l, muito grande',
  heaped: 'cheia, cheias, cheio, cheios, bem cheia, bem cheias',
  scant: 'rasa, rasas, raso, rasos, escassa, escasso',
  states: `${inflected('fresc, madur, bem madur, muito madur, fri, bem fri, morn, gelad, bem gelad, congelad, biológic, orgânic, caseir, dur, macio, maci, tenr, inteir, amanhecid, amolecid, cru, gelado ou fri, rijo, rij, amarelinh, nov', ENDINGS)}, quente, quentes, fervente, a ferver, bio, à temperatura ambiente, em temperatura ambiente, temperatura ambiente, de boa qualidade, de qualidade, do dia anterior, natural, da época, em ponto de pomada, em pomada, ponto de pomada, do campo, firme, firmes, caipira, caipiras, mole`,
  preparations: `${PARTICIPLES}, limpo, limpa, limpos, limpas, em cubos, em cubinhos, em rodelas, em rodelas finas, em tiras, em fatias, em fatias finas, em pedaços, em quartos, em gomos, em lascas, em juliana, em meias-luas, em lâminas, em metades, em bastões, em dados, às rodelas, às fatias, às tiras, aos cubos, aos pedaços, em pedaços pequenos, ao meio, sem pele, sem semente, sem sementes, sem caroço, sem caroços, sem osso, sem ossos, sem espinhas, sem casca, sem côdea, sem gordura, em castelo, em neve, em claras em castelo, em pó fino`,
  adverbs:
    'finamente, grosseiramente, bem, muito, ligeiramente, levemente, fino, fina, não, já, previamente, grosseiramente e, na hora, recém, acabado de, acabada de',
  describing:
    'grande, pequeno, fresco, fresca, doce, picante, branco, branca, vermelho, vermelha, verde, amarelo, amarela, preto, preta, roxo, roxa, integral, magro, magra, meio-gordo, gordo, desnatado, desnatada, inteiro, sem sal, com sal, sem açúcar, sem lactose, sem glúten, virgem, extra, seco, seca, secos, secas, fumado, fumada, defumado, defumada, mascavado, mascavo, refinado, cristal, vegetal, vegano, light, em pó, moído, moída, cozido, cozida, natural, grego, ralado, culinário, meia cura, curado',
  ends: 'para, para o, para a, a gosto, q b, qb, opcional, opcionais, facultativo, se, sem, com, em, que, como, tipo, por exemplo, de preferência, à temperatura, à temperatura ambiente, em temperatura ambiente, cortado, cortada, cortados, cortadas, picado, picada, picados, picadas, ralado, ralada, raladas, descascado, descascada, descascados, descascadas, aproximadamente, cerca, mais, e mais, ou a gosto, conforme, bem, muito, ligeiramente, lavado, lavada, lavados, lavadas, batido, batidos, derretido, derretida, escorrido, escorrida, escorridos, fatiado, fatiada, desfiado, desfiada, à escolha, ao gosto, de sua preferência, quanto baste, até, previamente, partido, partida, partidas, às rodelas, aos cubos, às fatias, cheia, de aproximadamente, de cerca',
  optional:
    'opcional, opcionais, facultativo, facultativa, se quiser, se desejar, se gostar, se preferir, se quiserem, caso queira',
  toTaste:
    'a gosto, q b, qb, quanto baste, ao gosto, ao seu gosto, o quanto baste, à vontade, conforme o gosto, ou a gosto, à discrição',
  divided: 'dividido, dividida, divididos, divididas',
  more: 'mais um pouco, e mais, mais para, e um pouco mais, um pouco mais, mais extra',
  parts:
    'sumo, o sumo, suco, o suco, raspa, raspas, a raspa, as raspas, raspa e sumo, sumo e raspa, raspas e suco, suco e raspas, casca, a casca, casca ralada, a casca ralada, raspas da casca, polpa, a polpa, zest, raspas e sumo, sumo e raspas, o sumo e a raspa, o suco e as raspas',
  partOf: 'de, do, da',
  headings:
    'para a, para o, para as, para os, para, ingredientes, recheio, massa, molho, cobertura, o recheio, a massa, o molho, a cobertura, calda, a calda, glacê, creme, decoração, marinada, tempero, temperos, base, bolo, o bolo, guarnição, refogado, acompanhamento, vinagrete, além disso, farofa, ganache, crumble, empanar, empanado, salada, montagem, xarope, finalização, merengue, caldo',
  for: 'para a, para o, para as, para os, para',
  notes:
    'nota, notas, ver, preparação, preparo, modo de preparo, modo de preparação, instruções, passos, passo, dica, dicas, pré-aqueça, pré-aqueça o, preaqueça, preaquecer, pré-aquecer, misture, misturar, leve, asse, adicione, tempo, porções, doses, rende, rendimento, calorias, siga, segue, comenta, comente, salve, guarda, partilha, compartilhe, receita, link, utensílios, forma, uma forma, servir, sirva, deixe, bom apetite, dificuldade, confeção, cozinhe, bata',
  other: 'outro, outra, qualquer, qualquer outro, qualquer outra, também, o seu, similar',
  insteadUse:
    'substituir por, substitua por, em alternativa, ou em alternativa, pode usar, pode substituir por, na falta, também pode ser, pode ser, se não tiver use',
  worksToo: 'também, serve, servem, pode, fica, dá',
  packedPrepared: inflected('picad, ralad, pelad, triturad, desfiad, fatiad, moíd', ENDINGS),
  soldPrepared:
    'coco ralado, queijo ralado, pão ralado, carne moída, carne picada, tomate pelado, tomate triturado, alho picado, amêndoa laminada, farinha',
  brands:
    'philadelphia, maizena, maisena, nutella, oreo, nestlé, knorr, royal, moça, nescau, tabasco, heinz, vaqueiro, mimosa, qualy, catupiry, sazon, kikkoman, dr. bayard, milka, maggi, cem porcento, ovomaltine, toddy',
  foods: FOODS,
  pantry: 'água, sal, sal fino, sal grosso, pimenta, pimenta preta, pimenta do reino, sal e pimenta',
  sameFoods:
    'fiambre/presunto cozido, natas/creme de leite/nata, ananás/abacaxi, sumo de limão/suco de limão, sumo de laranja/suco de laranja, coentros/coentro, curgete/abobrinha/courgette, pimento/pimentão, pimento vermelho/pimentão vermelho, pimento verde/pimentão verde, cenoura/cenouras, camarão/gamba, carne picada/carne moída, fermento em pó/fermento químico/pó royal, amido de milho/maizena/maisena, açúcar mascavado/açúcar mascavo, açúcar em pó/açúcar de confeiteiro/açúcar de confeiteiros, pimenta preta/pimenta do reino, leite condensado/leite moça, bacon/toucinho fumado, alho francês/alho-poró/alho poró, feijão verde/vagem, mandioca/aipim/macaxeira, batata doce/batata-doce, abóbora/jerimum, iogurte/iogurte natural, piripíri/piri-piri/malagueta, paprica/páprica/colorau, cebolinho/cebolinha, peru/perú',
});

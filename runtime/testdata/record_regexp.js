// Run by Node: prints what regexp.json holds, the results of many patterns on many texts.
const P=[
 ['a',''],['a','g'],['(a)|(b)','g'],['(?:(a)|b)*',''],['(z)((a+)?(b+)?(c))*',''],['(a*)*',''],['(a*)+',''],['(?:a*?)*?b',''],['(?=(a+))a*b\\1',''],['(?!foo)...',''],
 ['(.*?)a(?!(a+)b\\2c)\\2(.*)',''],['\\bfoo\\b','gi'],['^.$','gm'],[';$','gm'],['^\\s*$','gm'],['(?<=\\$)\\d+(\\.\\d*)?',''],['(?<!\\$)\\b\\d+','g'],['(?<=(\\d+)(\\d+))$',''],['(?<=\\1(a))b',''],
 ['(?<y>\\d{4})-(?<m>\\d\\d)',''],['(?<a>.)\\k<a>','g'],['\\p{L}+','gu'],['\\p{Lu}','gu'],['\\P{L}+','gu'],['[\\p{L}\\d_]+','gu'],['\\p{Script=Greek}','gu'],['\\p{Emoji_Presentation}','gu'],['\\p{Extended_Pictographic}','gu'],['[^\\p{ASCII}]','gu'],['\\p{Uppercase}','giu'],
 ['.','gu'],['.','g'],['^.$','u'],['[\\ud800-\\udbff][\\udc00-\\udfff]','g'],['[😀-😂]','gu'],['😀{2}','u'],['😀{2}',''],['\\u{1f600}','u'],['\\ud83d','u'],['\\ud83d',''],['[^x]','gu'],['[^x]','g'],['\\S+','gu'],
 ['[\\p{L}--[a-z]]','gv'],['[\\w&&\\d]','gv'],['[[a-z]--[aeiou]]+','gv'],['[\\q{abc|d|}x]','gv'],['[^\\d\\s]+','gv'],['\\p{L}','giv'],
 ['straße','iu'],['É','i'],['k','iu'],['k','i'],['ſ','iu'],['s','i'],['[a-z]+','gi'],['[^a-z]+','gi'],['\\w+','giu'],['\\W','giu'],['\\bé\\b',''],['ß','i'],['Σ','gi'],['σ','giu'],['ı','i'],['İ','iu'],['[à-ý]+','gi'],
 ['a{2,3}','g'],['a{2,3}?','g'],['a{2,}','g'],['a{0}b',''],['(a{1,2}){2}',''],['(?:ab){2,3}','g'],['(?:ab){2,3}?',''],['x*','g'],['x*?',''],['(?:)','g'],['a|ab',''],['(a|ab)(c|bcd)(d*)',''],['((a)|b)*?c',''],
 ['(?:a|b)+?c',''],['(?:(?:a)|(?:b)){1,2}(c)?',''],['(?:){3}',''],['(?:a?){3}',''],['(?:a??){3}',''],['(a?)*?$',''],['(?:(x)|(y)|(z)){2,}?',''],['^(?:(\\d+)|(\\w+))+$',''],
 ['[]',''],['[^]','g'],['[a\\-z]','g'],['[\\w-a]','g'],['[\\b]',''],['\\cJ',''],['[\\c]',''],['\\c',''],['\\x4a',''],['\\x4',''],['\\u004a',''],['\\u00',''],['\\0',''],['\\1(a)',''],['\\2(a)',''],['\\8',''],['\\07',''],['{',''],['a{',''],['a{1',''],['}',''],[']',''],['\\k<a>',''],['(?=a)*b',''],['(?=a){2}a',''],
 ['a.c','s'],['a.c',''],['\\d+(?=%)','g'],['(?:(?=(\\w+))\\1:)',''],['(["\'])(?:(?!\\1).)*\\1','g'],['"(?:\\\\.|[^"\\\\])*"','g'],['\\/\\*[\\s\\S]*?\\*\\/','g'],['\\/\\/.*$','gm'],['^import\\s+(?:(\\w+)|\\{([^}]*)\\})\\s+from\\s+[\'"]([^\'"]+)[\'"];?$','gm'],['(?<=^|,)([^,]*)(?=,|$)','g'],
 ['(\\w+)\\s(\\w+)','g'],['[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\\d+','g'],['(?<![A-Z])[A-Z]','g'],['^#{1,6}\\s+(.+)$','gm'],['\\s+$','gm'],['\\r\\n?|\\n','g'],['a','y'],['foo','gy'],['^','gm'],['$','gm'],['\\B','g'],['\\b','g'],['b(?<x>c)','d'],['(?<x>a)|(?<y>b)','dg'],
 ['(?<=a(?=b))b',''],['(?<=([abc]+)([abc]+))x',''],['(?<!abc)x','g'],['(?<=\\b)f','g'],['(?<=^ *)\\w','gm'],['(?<a>a)(?<b>b)?',''],['(?:(a)|(b)|(c))+',''],['(?:(?:(a)|b)(?!c))+',''],['(?=(a|ab))\\1c',''],['(((((a)))))',''],['(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10',''],
 ['[^\\n]*','g'],['.*','g'],['.*','gs'],['.+?(?=\\n|$)','g'],['\\s','g'],['[\\s\\S]','g'],['[\\d-x]+',''],['[+--]+','g'],['[\\]]','g'],['[\\\\]','g'],['\\.','g'],['a\\/b',''],
];
const I=['','a','b','aa','ab','abc','aaaab','baaabaac','zaacbbbcac','aabb','foo bar foo','Foo FOO foobar','price $42.5 and 17','a\r\nb;\r\nc;\n','x;\n\ny;\r\n\u2028z;','2024-05-06 abba','αβγ Ωmega ÀÉÎ straße STRASSE STRAßE','😀😁😂 a😀','😀','\ud83d','\ude00x\ud83d','👨‍👩‍👧 é e\u0301','K k ſ S s Kelvin','aé éa','ΣσςΣ','ıİiI','àÀýÝ÷×','abababab','ac','a\nc','"a\\"b" \'c"d\' "e','x /* a */ y // z\n/*b*/','import a from "x";\nimport {b, c} from \'y\'\nimport d from \'z\';','a,b,,c','camelCaseHTMLParser2Go','# T\n## U\ntext  \n\t\n### V','100% 5 %','J\x08\x0a\0\\c{}]a{1<','abcx abc','cabx','  foo','abcdefghijj','key: value','---+++','<a href="x">y</a>','éàü_1','ABCabc123','\u{10400}\u{10428}','aAbBcC dD'];
const cases=[];
for(const [p,f] of P){let re;const rec={p,f,r:[]};try{re=new RegExp(p,f)}catch(e){rec.error=true;cases.push(rec);continue}
 for(const s of I){const ms=[];const r=new RegExp(p,f);let m,n=0;if(r.global||r.sticky){while((m=r.exec(s))&&n++<60){ms.push([m.index,...m]);if(m[0]==='')r.lastIndex+= (r.unicode||r.unicodeSets)&&s.codePointAt(r.lastIndex)>0xffff?2:1}}else{m=r.exec(s);if(m)ms.push([m.index,...m])}
 if(r.hasIndices){r.lastIndex=0;m=r.exec(s);ms.push(m?[...m.indices].map(x=>x??null):null)}
 rec.r.push(ms.map(x=>x&&x.map(y=>y===undefined?null:y)))}
 rec.replace=I.map(s=>s.replace(new RegExp(p,f),'<$&|$1>'));rec.split=I.map(s=>s.split(new RegExp(p,f)).slice(0,40).map(y=>y===undefined?null:y));
 cases.push(rec)}
const bad=['(','a)','[','a**','(?<a','(?<a>x)(?<a>y)','a{2,1}','[z-a]','\\','(?','(?x)','*','+a','(?<1a>x)','(?:','[b-a]'];
const badU=['\\1','{','a{1','}',']','\\c','\\x4','\\u00','\\-','[\\w-a]','\\k<a>','\\p{Foo}','\\p{Script=Foo}','(?=a)*','\\u{110000}','\\07'];
const errs=[];for(const p of bad)try{new RegExp(p);errs.push([p,'',false])}catch{errs.push([p,'',true])}
for(const p of badU)try{new RegExp(p,'u');errs.push([p,'u',false])}catch{errs.push([p,'u',true])}
for(const f of ['gg','x','uv','gimsuyd','gimsvyd'])try{new RegExp('a',f);errs.push(['a',f,false])}catch{errs.push(['a',f,true])}
const ser=JSON.stringify({node:process.version,inputs:I,cases,errors:errs},(k,v)=>typeof v==="string"?v.replace(/[\ud800-\udfff]/g,c=>String.fromCharCode(c.charCodeAt(0)+0x800)):v);process.stdout.write(ser.replace(/[\u007f-\uffff]/g,c=>"\\u"+c.charCodeAt(0).toString(16).padStart(4,"0")))

"""Published answers of Hash_DRBG with SHA-256.

CAVP: NIST's drbgtestvectors.zip (CAVS 14.3), Hash_DRBG.rsp of its three folders; those with prediction resistance are
written as what it means: a reseed with the additional input before each request, which then has none (SP 800-90A,
9.3.1). ACVP: hashDRBG-1.0 of NIST's ACVP-Server, whose inputs are longer.

A vector is its name, entropy, nonce, personalization, steps and the bytes that the last step returns. A step is
("reseed", entropy, additional) or ("generate", additional).
"""

VECTORS = (
    (
        "no reseed, personalization 0, additional 0, COUNT = 0",
        "a65ad0f345db4e0effe875c3a2e71f42c7129d620ff5c119a9ef55f05185e0fb",
        "8581f9317517276e06e9607ddbcbcc2e",
        "",
        (("generate", ""), ("generate", "")),
        "d3e160c35b99f340b2628264d1751060e0045da383ff57a57d73a673d2b8d80daaf6a6c35a91bb4579d73fd0c8fed111"
        "b0391306828adfed528f018121b3febdc343e797b87dbb63db1333ded9d1ece177cfa6b71fe8ab1da46624ed6415e51c"
        "cde2c7ca86e283990eeaeb91120415528b2295910281b02dd431f4c9f70427df",
    ),
    (
        "no reseed, personalization 0, additional 256, COUNT = 0",
        "9b6d88373841458da926cc51f83922d363f0f80f90a2f5505c04033824ef7385",
        "82b21ff47bb5e1b33288b22f3856886b",
        "",
        (
            ("generate", "45d21d94ae1ea460857b50b5b240d943d42160e4c12377e0f817b79e92530bc1"),
            ("generate", "ea432e31cc94c20d66fb13d1ef42a5f62b024134fc635aa1279a6179204731ca"),
        ),
        "3d23d0fc03936766a1e1330393e8ff6211149f3d0758db038da1c833ca8e5265c2a9ff6c8e0836904c5fcd3e61b1c77d"
        "613dc6bdaf6437573a618e3e75e455338a7f9a41300da8fd2da408cf095ff7eae1686d60ce9c2f547d0515da91600201"
        "c8374b7af8a5f49a6381aaca394c65d451341a0ae1546cd57e0d9167a6b5397d",
    ),
    (
        "no reseed, personalization 256, additional 0, COUNT = 0",
        "dfeabab904bfe93a37bb5b1ea4a696f881ab5ab4be87ffbf2d4e8cdfaabb37fd",
        "a2d458b475053a0346b57fc518849ba1",
        "d15d5d9a4a3a41877b4ea98dbda5079ee393f6ab24105dbd70f5bf145772b15c",
        (("generate", ""), ("generate", "")),
        "86d8c63ed4a8a19f3429b4dd57ede5ca573e861712e631400645ceee763c37cf950bdcc4d9c886ead3f0f1bf46a63bf2"
        "2bd2eb39b2dac61d2e8c8f29e26045b3db56b2265adc8152d4f736c09ee90364a1e265eb5e77b0c5988c8fa52717fd33"
        "b6da760e78f2a7c27065227c47ac2134b95b7dadbf96e4ea2dad78ef200e174b",
    ),
    (
        "no reseed, personalization 256, additional 256, COUNT = 0",
        "68c43a008fe46a823d260a9d7fa388fb9e401f0197e7e758a744b4babb3f4651",
        "eb6825777856331884aaf3751b3e4006",
        "23ce0d32cbf2d26467f0d62acff1a3acbaa6d2746dc3ee7aa9d32c880788afc8",
        (
            ("generate", "a31b9f13b58d4fa2f8d8ac42b62a207ff647339a146bd8b268b33d4aff57adbd"),
            ("generate", "d34fc6504eca4b568193c75357b0d3821a48c77ff80d6dbd21c6cf045ff489cf"),
        ),
        "abb4ecbacd4e8fa943c7221aed433861c3b203232657ec4c417d021f905d911db1058ff1e11e272232482ec96bae7cb4"
        "efc135502dbe41724077077f6de79b713670c385d04644e1281c3e582e0016255abbe5f8c06d0de57160559f0c08f7fb"
        "5be3563c649966190f8d3261364447537de2c7371c6e8c308933d27145bf90ab",
    ),
    (
        "reseed, personalization 0, additional 0, COUNT = 0",
        "63363377e41e86468deb0ab4a8ed683f6a134e47e014c700454e81e95358a569",
        "808aa38f2a72a62359915a9f8a04ca68",
        "",
        (
            ("reseed", "e62b8a8ee8f141b6980566e3bfe3c04903dad4ac2cdf9f2280010a6739bc83d3", ""),
            ("generate", ""),
            ("generate", ""),
        ),
        "04eec63bb231df2c630a1afbe724949d005a587851e1aa795e477347c8b056621c18bddcdd8d99fc5fc2b92053d8cfac"
        "fb0bb8831205fad1ddd6c071318a6018f03b73f5ede4d4d071f9de03fd7aea105d9299b8af99aa075bdb4db9aa28c18d"
        "174b56ee2a014d098896ff2282c955a81969e069fa8ce007a180183a07dfae17",
    ),
    (
        "reseed, personalization 0, additional 0, COUNT = 1",
        "0996a3825a456db3c5ae7c0058e6f9b5f4384074ddfe37b4ac68e2c98bdb54c5",
        "318443aaf8c66f2b81e414dee9553f7c",
        "",
        (
            ("reseed", "f7d284583dc30f5ec4b16f7b916a7a89bced38bbc7d403ad358ec9196913fe6d", ""),
            ("generate", ""),
            ("generate", ""),
        ),
        "4192e569be8f66820d20374efb53d2654f316c1f09c8e4b2a2fb783b0ff8a82c88b24791414b1a1f54bd00c9ce6a981d"
        "8d1d445aa55dbc8372e67e440b4d6f96b2e6ac4ee9657672aadab562297fea4c6d0b1ba066362eeb075a9f04da40c31d"
        "0dc6d30e3a236bf2c34dccd291eaffd16eae6c1cdb88712a913fc65f979dc742",
    ),
    (
        "reseed, personalization 0, additional 0, COUNT = 2",
        "3f1b92920c0d9c28718be72a695dc054ec45e75c4af04cbb97eaf285941be7df",
        "b4949590b415d923671a70cf7a56477d",
        "",
        (
            ("reseed", "4ab6849c4477b3245a8668775ef6ef6f0496ed292088dc2d45db9658854b97e2", ""),
            ("generate", ""),
            ("generate", ""),
        ),
        "ae9990cf69e44f08cf4af04786685f1c0051fbf8e518da98ca2d51cd337e0d635311335c944584472974d6e86eff7464"
        "d3ff55b2e007b194c8a6f7049bb56450e412e2512eccc6d23f4df28970309e251946c9cea6741e7b57802040d59db130"
        "e9a2d36db2ca0ee73634b525e41d7a6867954a127835ba54589a1d80ef0a974a",
    ),
    (
        "reseed, personalization 0, additional 256, COUNT = 0",
        "9cfb7ad03be487a3b42be06e9ae44f283c2b1458cec801da2ae6532fcb56cc4c",
        "a20765538e8db31295747ec922c13a69",
        "",
        (
            (
                "reseed",
                "96bc8014f90ebdf690db0e171b59cc46c75e2e9b8e1dc699c65c03ceb2f4d7dc",
                "6fea0894052dab3c44d503950c7c72bd7b87de87cb81d3bb51c32a62f742286d",
            ),
            ("generate", "d3467c78563b74c13db7af36c2a964820f2a9b1b167474906508fdac9b2049a6"),
            ("generate", "5840a11cc9ebf77b963854726a826370ffdb2fc2b3d8479e1df5dcfa3dddd10b"),
        ),
        "71c1154a2a7a3552413970bf698aa02f14f8ea95e861f801f463be27868b1b14b1b4babd9eba5915a6414ab1104c8979"
        "b1918f3094925aeab0d07d2037e613b63cbd4f79d9f95c84b47ed9b77230a57515c211f48f4af6f5edb2c308b33905db"
        "308cf88f552c8912c49b34e66c026e67b302ca65b187928a1aba9a49edbfe190",
    ),
    (
        "reseed, personalization 256, additional 0, COUNT = 0",
        "b87bb4de5c148d964fc0cb612d69295671780b4270fe32bf389b6f49488efe13",
        "27eb37a0c695c4ee3c9b70b7f6b33492",
        "52321406ac8a9c266b1f8d811bb871269e5824b59a0234f01d358193523bbb7c",
        (
            ("reseed", "7638267f534c4e6ee22cc6ca6ed824fd5d3d387c00b89dd791eb5ac9766385b8", ""),
            ("generate", ""),
            ("generate", ""),
        ),
        "de01c061651bab3cef2fc4ea89a56b6e86e74b2e9fd11ed671c97c813778a06a2c1f41b41e754a5257750c6bde9601da"
        "9d67d8d9564f4a8538b92516a2dacc496dee257b85393f2a01ad59aa3257f1b6da9566e3706d2d6d4a26e511b0c64d7d"
        "c223acb24827178afa43ca8d5a66f983d6929dc61564c4c14fc32d85765a23f7",
    ),
    (
        "reseed, personalization 256, additional 256, COUNT = 0",
        "6c623aea73bc8a59e28c6cd9c7c7ec8ca2e75190bd5dcae5978cf0c199c23f4f",
        "e55db067a0ed537e66886b7cda02f772",
        "1e59d798810083d1ff848e90b25c9927e3dfb55a0888b0339566a9f9ca7542dc",
        (
            (
                "reseed",
                "9ab40164744c7d00c78b4196f6f917ec33d70030a0812cd4606c5a25387568a9",
                "4e8bead7cbba7a7bc9ae1e1617222c4139661347599950e7225d1e2faa5d57f5",
            ),
            ("generate", "dcb22a5d9f149858636f3ede2253e419816fb7b1103194451ed6a573a8fe6271"),
            ("generate", "8f9d5c78cdabc32e71ac3b3c49239caddf96053250f4fd92056efbd0be487d36"),
        ),
        "6e98a3b1f686f6ffa79355c9d8a5ab7f93312159d52659a2298315f10007c71adabc0b5ccb4164c0949fbdb221b43acd"
        "b62bed3099596f2d7bd5d0048173dd2360a543b234ab61a441ddb9299af84ca45c6e618fd521366dbf509d4ec06174da"
        "924361d642b107e5564ac1b32340dd2f3158bf4c00bcb4dcf12c6d67af4b74ee",
    ),
    (
        "prediction resistance, personalization 0, additional 0, COUNT = 0",
        "4a4e743f877ea6e94e545a56ccb5a1f99efc7eb1e8191929152a56d41dc92425",
        "33b7ab9356acf7da03d3d6773b61f8d9",
        "",
        (
            ("reseed", "2e148f9269d00a162e897a91f3aca46fed1e2adbab4f848218f288650dab8b1e", ""),
            ("generate", ""),
            ("reseed", "2566475353ec8ced47d03b76fca779d0668c95136cf7866259d9e3b7e0d1f74f", ""),
            ("generate", ""),
        ),
        "924b74d6ba3d56dffc0de00711e3010ccbdb730718743f0cc0631931434b0ffc4ad6d5ef96fd81f16e51a10206f67498"
        "7d1b52f0cf15d294c98bc4a877f4716c0ff2c2484d3f057eafd09154874aa2a213a2641da1a3d7be6988616b6bb483cd"
        "9213ed750858ce85811b8f708dcfd607b383eda845c87f60084db7a0500643b1",
    ),
    (
        "prediction resistance, personalization 256, additional 256, COUNT = 0",
        "29e1a42709b7e84dbe50788fbad8cb609c127eec3262636a513fd9059fb8bae4",
        "f3a521f28dffbd97574c405b69b636ad",
        "c99a1147d8db401f4fcf763867296758e26404a30a4a9fa496a717f21f5d749b",
        (
            (
                "reseed",
                "d5266c01e10d72dd7e8a3bf717cccb8f643ca233314e3e74f106f46b090e5c73",
                "17254ea392aead0dc94992d867813497d3fd6dc7669667150afe6c28a2b89946",
            ),
            ("generate", ""),
            (
                "reseed",
                "c7e5f03d26bdf9553338e64ba64ce5b5751b04f9c69992221495f2227b9799d0",
                "157dde59ceb2c662c8665fbe623ec75873fd0c5ccce79a9f5b7098ec8ed77b67",
            ),
            ("generate", ""),
        ),
        "e304de9ffd885cf917ead78f05939b8cf54709fc2d0c799a98b543486337204477b1060bceae2a22f7ff42b6cb4b4bc0"
        "610ae2b67558a7c54b65e45bb9f1a86981b74705b48cdbf7d8decf87868267bd948e9394aa4357f8dbbf30612a0eb5b1"
        "31884c220e442d36778e8d74091d8a27c070fe690469e07f3aabeef7c629bfab",
    ),
    (
        "ACVP test 204: entropy 1280, nonce 256, personalization 1024, additional 768, 4096 bits returned",
        "6e862a1f216e8f06bac3db10d6dc1af149be213b439abb57595a45901d94199aa77f7009122da877d3b91b38e79f49f5"
        "9c3ca04b744b31df8f3c4dcae663c0d5fbc3b020d2b72de90a9586747a4a94a7252bf4de69155e589f42c04017b20c59"
        "2e95837c466e20911a0a60d2a3d1214f7c657cf2bdef6a7e3ff78ef24848f46a6729459b9a100ca11eb1cdd4949e502e"
        "3508880c1d748373311d8d53103e42e7",
        "2d3939d60016d955be96a893ee20e4e9569876807c8f46eeaf0c1e0c32d9a3b2",
        "26824ce255abaf7e39ff4976e1834b3fdce7656b27b512dbb90f880e8e12de819eaee2745e03a93e0eb41a028193cda9"
        "404874b6bd93da09f6aae5ffe9bd325302cb09af2c8b87509d23fe01be09869f0e72ccc066e04ca85d0e00e55447620c"
        "b5d90b0832dc1b0c09db970a3b3718f7903a464ccae72d0dd33c8c4797902c35",
        (
            (
                "reseed",
                "9e701c311933c8ed4cbfa9c8185e48d301e125d34f94cba4b69b2f102bfd10f541d5fb870fb34c8842e9c1d24d01b8c3"
                "9dba42a0a92b9d99f82be466bb0bd70d91f6c9d022e58e4381cefeed2ec3d09b01eb1b030aa1eb0aa51d6d9ef6ce5740"
                "d6ef961d9cb9aeb9be4c42953642b766cadb34124baefc2714658ad19f4c90c464342fe5299a7635fe67b107c900702f"
                "ee0deb8792bb7506d4bfb812efad206f",
                "75f4291108797cf32aa804d42dedea91984bfbc1d184f7f41bf2851237ac1fc69b974550933f68700b0130df80adcf59"
                "531fb8007dfacbbb44bc5071e987f55a888481fc473eb1514c79bc9c3f3cb16b636f9a2c07a84a1d938d8f4490b4e9c8",
            ),
            (
                "generate",
                "ff0502ff4ecad3f075a29dfd08638004b64885193ebb5719b330e6939ee5c089f3c7aaa48a6af597c91d8e286bec0432"
                "c37dc079415019a9a98c6944629d0e03cb09e90c96438176c1c76a576501a61c744930ace88b92ddd440e80ce1b75f33",
            ),
            (
                "generate",
                "dff470f3ff56580471996740629b9ccd4b9f318a2fd45fd71d45f2f3157e3b85f23070306b9bcd6693b7e07c4ca1b823"
                "11a2d14bc434175025db8fcdbdecbc5216b3e11bbfad6f1debf5be472485b3ad12afdfd2d05239d34b30dedbb8b85c52",
            ),
        ),
        "0a6345c4d2e347c8a00ba4f4549fd50ee559663ae721995956e7fd05c2254ad17e51bd7a062b35139b334cb9c94a6ce4"
        "b34229b6726085756d25864865d4bd480e3de388ecfa525c7b3bf8a3668f8895ef3f2d1c0ef6dc5f1199e6ece3da06bd"
        "d04f67a76b8ffa8c0f623fe83fd92320751d086bf439d080012413720c5da2c94854249f5484fc8073e2c1d9ba31b785"
        "89b28d5749711b6dbb3ef391083425ae8ec98f3f284b5d8e65c24303d3a9615b9152ac326256ef7c3d6e4c9f70b669bc"
        "ee70556bd2fe6144ed1cbded2b3ffce01d9bf4e02ea4ca885efb16408a473e661f9fe8ea801465fe6090436d1d695ca0"
        "62fd1e8a52efc143042c1f2ade4742c76d891db2f436e5d09f32d28861e97befbad87fa0267db546a76f92bf943f35e6"
        "0023b6e2c40de8cde8cbc47b113b9239129af9542536539c462fc7b7c90292ee8843e75c87b2d3a00b13c16d82bd3321"
        "225348da8d0a3a5543850fa36ea41a563a60f0311dba61d006be24193347e5a1e12273d7f751923908ccce88da5a2a04"
        "d30eb2480dbc27676ed62a308237f3cca224977dc86e8caf0caf8bad6016b0434c57364d4fa9874ea25f5238dbd5a8e2"
        "d224de3246f97c9a631be7b2758175ff34a9987d7746b397149768a99460af9676212d8d9530921781462989f6abdf11"
        "3adc4a411e2a76a8c99d3834fda8f6ef025b0b909e6febd67737f7099783fdcb",
    ),
)

# V and C inside the first vector with reseed, as Hash_DRBG.txt gives them: after each step.
STATE_STEPS = (
    (
        "instantiate",
        "32ab605ddc8d5651093b8a59bd9d3adea1249e21a69e2e4a3967515fa03ad41ccf5b126eb9f3b268080c952df88241fe"
        "4cc27bbcbbbed5",
        "8ea2691d1915ebb4975593ca3fbad0ba137026d901a95950a207c41dc7773e15c1e85f4a5f91002866830bebe5c4ee17"
        "85b839323fbb44",
    ),
    (
        "reseed",
        "59177d93843f0550f33933a51eb488168699ab9c85651536a61f7ec71e8b274a151f17e56becaf531dcfc955f2f1adb6"
        "536d51b256d53c",
        "897c02699f4254e1f33c94f7bfa85da3826df6c2590ed0815cbced36d77aa3375a1582ffc1c887416afd1ba0f04b6ddf"
        "f81a2b0e5b844d",
    ),
    (
        "generate",
        "e2937ffd23815a32e675c89cde5ce5ba0907a25ede73e61c9ec76d67da582c94001fda32b60ec40202a164c6a4d66411"
        "cc6b99b1284617",
        "897c02699f4254e1f33c94f7bfa85da3826df6c2590ed0815cbced36d77aa3375a1582ffc1c887416afd1ba0f04b6ddf"
        "f81a2b0e5b844d",
    ),
    (
        "generate",
        "6c0f8266c2c3af14d9b25d949e05435d8b7599213782b6eac6cd90a10d48e1c96088f5dba20241b68cb64bb05028c35e"
        "5558ef8a6edca6",
        "897c02699f4254e1f33c94f7bfa85da3826df6c2590ed0815cbced36d77aa3375a1582ffc1c887416afd1ba0f04b6ddf"
        "f81a2b0e5b844d",
    ),
)
